"""Sessions in the database: when they are valid, and when they are deleted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.accounts import sessions_forget
from tests.ladder.makers import cookie_header

pytestmark = [pytest.mark.database, pytest.mark.slow_on_sqlite, pytest.mark.django_db]


def knows(client: Client, user: User) -> bool:
    return user.username in client.get("/games/").content.decode()


def test_an_expired_session_is_not_valid(client: Client, alice: User) -> None:
    client.force_login(alice)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not knows(client, alice)
    assert client.cookies["sessionid"].value == ""


def test_only_expired_sessions_are_deleted(client: Client, alice: User) -> None:
    Client().force_login(alice)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    client.force_login(alice)
    sessions_forget()
    assert Session.objects.get().session_key == client.session.session_key


def test_signing_out_ends_the_session_at_once(client: Client, alice: User) -> None:
    client.force_login(alice)
    key = client.session.session_key
    client.post("/accounts/logout/")
    client.cookies["sessionid"] = str(key)
    assert not knows(client, alice)


@pytest.mark.parametrize("key", ["a" * 32, "short", "\x00" * 32, "a" * 31 + "\x00", "é" * 32])
def test_an_unknown_session_key_is_not_adopted(client: Client, key: str) -> None:
    page = client.get("/games/", headers=cookie_header("sessionid", key))
    assert page.status_code == 200
    assert not Session.objects.exists()
