"""Mails while the mail server is away: who waits is told what to do, and the site goes on."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from ladder import mails
from ladder.models import User

pytestmark = [pytest.mark.database, pytest.mark.django_db]

PASSWORD = "correct horse"
RESET = "/accounts/password/reset/"


@pytest.fixture
def mute(settings: Settings) -> Iterator[socket.socket]:
    """A mail server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_TIMEOUT = 0.2
        yield server


@pytest.fixture
def away(mute: socket.socket) -> None:
    """A mail server that is not there."""
    mute.close()


@pytest.fixture
def addressed(alice: User) -> User:
    """Alice, with an e-mail address."""
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    return alice


def forgotten(client: Client, address: str = "alice@example.com") -> HttpResponse:
    return client.post(RESET, {"email": address})


@pytest.mark.parametrize("server", ["away", "mute"])
def test_who_has_forgotten_a_password_is_told_to_try_again(
    server: str, request: pytest.FixtureRequest, client: Client, addressed: User, caplog: pytest.LogCaptureFixture
) -> None:
    request.getfixturevalue(server)
    begun = time.monotonic()
    page = forgotten(client)
    assert time.monotonic() - begun < 10
    assert page.status_code == 503
    assert "try again in a few minutes" in page.text
    (told,) = [record.msg for record in caplog.records if record.name == "ladder.mails"]
    assert told["event"] == "mail_unsent"
    assert told["mail"] == "account/email/password_reset_key"


def test_the_page_tells_nobody_which_addresses_there_are(client: Client, addressed: User, away: None) -> None:
    assert forgotten(client).content == forgotten(client, "nobody@example.com").content


def test_no_more_than_half_of_the_threads_wait_for_a_mail_server(client: Client, addressed: User) -> None:
    with ExitStack() as waiting:
        for _ in range(mails.MAILS_AT_ONCE_MAX):
            waiting.enter_context(mails.mail_sending("another"))
        assert forgotten(client).status_code == 503
        assert not mail.outbox
    assert forgotten(client).status_code == 302
    assert len(mail.outbox) == 1


def test_a_new_address_is_kept_and_confirmed_later(client: Client, alice: User, away: None, settings: Settings) -> None:
    client.force_login(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    new = {"action_add": "", "email": "alice@example.com"}
    assert client.post("/accounts/email/", new).status_code == 503
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    again = {"action_send": "", "email": "alice@example.com"}
    assert client.post("/accounts/email/", again).status_code == 302
    assert len(mail.outbox) == 1
