"""API tokens: made with a password or on a page, shown once, revoked."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import Settings

from accounts.models import User
from api.tokens import TOKENS_MAX
from tests.ladder.makers import make_user
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db

LOGIN = "/api/v1/login/"
PASSWORD = "correct horse"
TOKEN = re.compile(r"banzuke_[0-9a-f]{64}")


@pytest.fixture
def alice() -> User:
    cache.clear()
    return make_user("alice")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def confirmed(client: Client, user: User) -> None:
    """Sign a user in who has just typed the password again."""
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def login(client: Client, password: str = PASSWORD, username: str = "alice") -> Any:
    return client.post(LOGIN, {"username": username, "password": password}, content_type="application/json")


def test_a_name_and_password_make_a_token(client: Client, alice: User) -> None:
    token = login(client).json()["token"]
    assert TOKEN.fullmatch(token)
    assert client.get("/api/v1/account/", headers=bearer(token)).json()["username"] == "alice"
    assert not AuthToken.objects.filter(digest__contains=token).exists()
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client.get("/api/v1/account/", headers=bearer(token)).status_code == 401, "it is too old"


def test_a_wrong_password_or_an_inactive_user_makes_none(client: Client, alice: User) -> None:
    for name, password in (("alice", "wrong"), ("nobody", "wrong"), ("alice", " correct horse")):
        answer = login(client, password, name)
        assert answer.status_code == 422
        assert "do not belong together" in answer.json()["detail"]
    User.objects.update(is_active=False)
    assert login(client).status_code == 422
    assert not AuthToken.objects.exists()


def test_guesses_are_counted_together_with_those_at_the_sites_form(
    client: Client, alice: User, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/m/ip"}
    for _ in range(2):
        client.post("/accounts/login/", {"login": "alice", "password": "wrong"})
    answer = login(client)
    assert answer.status_code == 422
    assert "Too many" in answer.json()["detail"]
    assert not AuthToken.objects.exists()


def test_a_token_is_revoked_by_its_owner_alone(client: Client, alice: User) -> None:
    token = login(client).json()["token"]
    _, others = AuthToken.objects.create(user=make_user("bob"))
    _, second = AuthToken.objects.create(user=alice)
    told = [row["begins_with"] for row in client.get("/api/v1/tokens/", headers=bearer(token)).json()]
    (begins,) = filter(token.startswith, told)
    assert client.delete(f"/api/v1/tokens/{begins}/", headers=bearer(others)).status_code == 204
    assert client.get("/api/v1/account/", headers=bearer(token)).status_code == 200
    assert client.delete(f"/api/v1/tokens/{begins}/", headers=bearer(token)).status_code == 204
    assert client.get("/api/v1/account/", headers=bearer(token)).status_code == 401
    assert client.get("/api/v1/account/", headers=bearer(second)).status_code == 200


def test_the_page_asks_for_the_password_before_a_token_is_made(client: Client, alice: User) -> None:
    client.force_login(alice)
    asked = client.post("/api/tokens/")
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/"), "a browser left open is not enough"
    assert not AuthToken.objects.exists()
    wrong = client.post(asked.headers["Location"], {"password": "wrong", "next": "/api/tokens/"})
    assert wrong.status_code == 200
    assert not AuthToken.objects.exists()
    made = client.post(asked.headers["Location"], {"password": PASSWORD, "next": "/api/tokens/"})
    assert TOKEN.search(made.text), "there is no need to ask for it again"


def test_the_page_shows_a_new_token_once_and_revokes_ones_own(client: Client, alice: User) -> None:
    confirmed(client, alice)
    (token,) = TOKEN.findall(client.post("/api/tokens/").text)
    assert Client().get("/api/v1/account/", headers=bearer(token)).status_code == 200
    page = client.get("/api/tokens/").text
    assert token not in page
    assert AuthToken.objects.get().token_key in page
    AuthToken.objects.create(user=make_user("bob"))
    for row in AuthToken.objects.all():
        client.post("/api/tokens/revoke/", {"begins_with": row.token_key})
    assert [row.user.username for row in AuthToken.objects.all()] == ["bob"]


def test_the_number_of_tokens_is_limited(client: Client, alice: User) -> None:
    confirmed(client, alice)
    for _ in range(TOKENS_MAX):
        client.post("/api/tokens/")
    refused = client.post("/api/tokens/")
    assert refused.status_code == 422
    assert "as many as one user may have" in refused.text
    assert login(client).status_code == 422
    AuthToken.objects.filter(pk=AuthToken.objects.first().pk).update(expiry=timezone.now() - timedelta(seconds=1))
    assert login(client).status_code == 201, "an expired one does not count"


@pytest.mark.parametrize("path", ["/api/tokens/", "/api/tokens/revoke/"])
def test_strangers_are_sent_to_sign_in_and_forms_need_their_csrf_token(alice: User, path: str) -> None:
    assert Client().post(path)["Location"].startswith("/accounts/login/")
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(path).status_code == 403


def test_a_new_password_ends_all_tokens(client: Client, alice: User) -> None:
    """The attack: somebody who knew the old password has made tokens."""
    token = login(client).json()["token"]
    client.force_login(alice)
    new = {"oldpassword": PASSWORD, "password1": "a battery staple", "password2": "a battery staple"}
    client.post("/accounts/password/change/", new)
    assert client.get("/api/v1/account/", headers=bearer(token)).status_code == 401
    assert login(Client(), "a battery staple").status_code == 201


def test_an_administrator_who_removes_the_password_ends_all_tokens(client: Client, alice: User) -> None:
    token = login(client).json()["token"]
    admins = signed_in(make_user("chief", is_staff=True, is_superuser=True))
    admins.post(f"/admin/accounts/user/{alice.pk}/password/", {"usable_password": "false", "unset-password": ""})
    assert not User.objects.get(pk=alice.pk).has_usable_password()
    assert client.get("/api/v1/account/", headers=bearer(token)).status_code == 401


def test_a_token_that_was_asked_for_with_the_old_password_is_not_made_after_all(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = User.check_password

    def changed_meanwhile(user: User, password: str) -> bool:
        found = check(user, password)
        owner = User.objects.get()
        owner.set_password("a battery staple")
        owner.save()
        return found

    monkeypatch.setattr(User, "check_password", changed_meanwhile)
    refused = login(client)
    assert refused.status_code == 422
    assert refused.json()["detail"] == "The way you sign in has changed just now. Please sign in once more."
    assert not AuthToken.objects.exists()


def test_a_rehashed_password_ends_no_token(client: Client, alice: User, settings: Settings) -> None:
    token = login(client).json()["token"]
    hashers = ["django.contrib.auth.hashers.ScryptPasswordHasher", *settings.PASSWORD_HASHERS]
    settings.PASSWORD_HASHERS = hashers
    assert login(client).status_code == 201
    assert User.objects.get().password.startswith("scrypt")
    assert client.get("/api/v1/account/", headers=bearer(token)).status_code == 200
