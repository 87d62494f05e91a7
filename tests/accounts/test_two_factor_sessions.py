"""Sessions and tokens of an account end when its two-factor authentication is turned on, off, or gets new codes."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from knox.models import AuthToken
from pytest_django import Settings

from accounts.models import User
from accounts.services.accounts import account_two_factor_off
from tests.ladder.makers import make_user
from tests.two_factor import code_now, code_of, two_factor_on
from tests.visitors import is_in, signed_in

pytestmark = pytest.mark.django_db(transaction=True)  # allauth sends its signals on commit

PASSWORD = "correct horse"


@pytest.fixture
def token(alice: User) -> str:
    """An API token that a thief has created."""
    return str(AuthToken.objects.create(alice)[1])


def token_counts(token: str) -> bool:
    return Client().get("/api/v1/account/", headers={"Authorization": f"Bearer {token}"}).status_code == 200


def confirmed(client: Client) -> None:
    cache.clear()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def test_turning_two_factors_on_ends_all_other_sessions_and_tokens(alice: User, token: str) -> None:
    bobs = AuthToken.objects.create(make_user("bob"))[1]
    owner, thief = signed_in(alice), signed_in(alice)
    assert is_in(thief)
    assert token_counts(token)
    confirmed(owner)
    secret = owner.get("/accounts/2fa/totp/activate/").context["form"].secret
    done = owner.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)}, follow=True)
    assert done.text.count("You are signed out everywhere else") == 1
    assert Authenticator.objects.count() == 2
    assert is_in(owner)
    assert not is_in(thief)
    assert not token_counts(token)
    assert token_counts(bobs)


@pytest.mark.parametrize(("path", "left"), [("recovery-codes/generate/", 2), ("totp/deactivate/", 0)])
def test_new_recovery_codes_and_turning_two_factors_off_end_all_other_sessions_and_tokens(
    path: str, left: int, alice: User, token: str
) -> None:
    two_factor_on(alice)
    owner, thief = signed_in(alice), signed_in(alice)
    confirmed(owner)
    owner.post(f"/accounts/2fa/{path}")
    assert Authenticator.objects.count() == left
    assert is_in(owner)
    assert not is_in(thief)
    assert not token_counts(token)


def test_an_administrator_who_turns_two_factors_off_ends_all_sessions_and_tokens(alice: User, token: str) -> None:
    two_factor_on(alice)
    two_factor_on(bob := make_user("bob"))
    finder, bobs = signed_in(alice), signed_in(bob)
    account_two_factor_off(user=alice, actor=None)
    assert is_in(bobs)
    assert set(Authenticator.objects.values_list("user", flat=True)) == {bob.pk}
    assert not is_in(finder)
    assert not token_counts(token)
    assert is_in(signed_in(alice))


def test_using_a_recovery_code_ends_no_session(alice: User, token: str) -> None:
    papers = two_factor_on(alice)
    elsewhere = signed_in(alice)
    for code in (code_now(alice), papers[0]):
        client = Client()
        client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        client.post("/accounts/2fa/authenticate/", {"code": code})
        assert is_in(client)
    assert is_in(elsewhere)
    assert token_counts(token)


def test_a_new_secret_key_ends_no_session_of_the_former_one(alice: User, settings: Settings) -> None:
    alice.sessions_ended = 3
    alice.save()
    client = signed_in(alice)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another one"
    assert is_in(client)
