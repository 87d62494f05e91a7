"""Signing up and in, and how often one may try."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from ladder.models import User

pytestmark = [pytest.mark.database, pytest.mark.django_db]

PASSWORD = "a long and winding road"


def sign_up(client: Client, username: str) -> str:
    form = {"username": username, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/accounts/signup/", form, follow=True).content.decode()


def test_signing_up_needs_a_name_and_a_password_only(client: Client) -> None:
    assert "Sign out" in sign_up(client, "carol")
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("name", ["house", "House", "x" * 31, "a b", "<b>", "аdmin", "a\u202eb", ""])
def test_names_that_mislead_are_refused(client: Client, name: str) -> None:
    page = sign_up(client, name)
    assert not User.objects.exists()
    assert "errorlist" in page


def test_logging_in_and_out(client: Client, alice: User) -> None:
    page = client.post("/accounts/login/", {"login": "alice", "password": "correct horse"}, follow=True)
    assert "Sign out" in page.content.decode()
    assert "Sign in" in client.post("/accounts/logout/", follow=True).content.decode()


def test_guessing_passwords_is_slowed_down(client: Client, alice: User, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/m/ip"}
    for _ in range(3):
        client.post("/accounts/login/", {"login": "alice", "password": "guess"})
    page = client.post("/accounts/login/", {"login": "alice", "password": "correct horse"}, follow=True)
    assert "Sign out" not in page.content.decode()


def test_uploads_are_slowed_down(alices: Client, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"upload": "1/m/user"}
    assert alices.post("/upload/", {}).status_code == 422
    assert alices.post("/upload/", {}).status_code == 429
    assert alices.get("/upload/").status_code == 200


def test_sign_ups_are_slowed_down(client: Client, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    sign_up(client, "carol")
    response = Client().post("/accounts/signup/", {"username": "dave", "password1": PASSWORD, "password2": PASSWORD})
    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()


def test_visitors_are_told_apart_however_a_proxy_writes_their_addresses(settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    for number in (1, 2):
        page = sign_up(Client(REMOTE_ADDR=f"::ffff:192.0.2.{number}"), f"carol{number}")
        assert "Sign out" in page
