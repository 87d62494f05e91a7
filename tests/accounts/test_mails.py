"""Mails, also while the mail server is away: the user reads what to do, and the site goes on."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail import DNS_NAME
from django.http import HttpResponse
from django.test import Client
from django.utils.translation import override
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts import mails
from accounts.models import User
from accounts.services.accounts import account_two_factor_off
from arena.settings.environment import Environment
from tests.two_factor import code_of, two_factor_on

pytestmark = pytest.mark.django_db

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


@pytest.fixture
def sink(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The messages that a mail server has received."""
    heard: list[str] = []

    class Dialogue(StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 mail.example\r\n")
            text = False
            for line in self.rfile:
                heard.append(line.decode().rstrip())
                if not text or line == b".\r\n":
                    word = line[:4].strip().upper()
                    text = word == b"DATA"
                    self.wfile.write({b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}.get(word, b"250 ok\r\n"))

    monkeypatch.setattr(DNS_NAME, "_fqdn", "7f3a01c2", raising=False)
    with ThreadingTCPServer(("127.0.0.1", 0), Dialogue) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield heard
        server.shutdown()


def forgotten(client: Client, address: str = "alice@example.com") -> HttpResponse:
    return client.post(RESET, {"email": address})


@pytest.mark.parametrize("server", ["away", "mute"])
def test_a_password_reset_says_to_try_again_when_no_mail_can_be_sent(
    server: str, request: pytest.FixtureRequest, client: Client, addressed: User, caplog: pytest.LogCaptureFixture
) -> None:
    request.getfixturevalue(server)
    begun = time.monotonic()
    page = forgotten(client)
    assert time.monotonic() - begun < 10
    assert page.status_code == 503
    assert "try again in a few minutes" in page.text
    (logged,) = [record.msg for record in caplog.records if record.name == "accounts.mails"]
    assert logged["event"] == "mail_unsent"
    assert logged["mail"] == "account/email/password_reset_key"


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"], ids=["theirs", "nobody's"])
def test_a_mail_names_the_public_host_whatever_host_the_request_names(
    client: Client, addressed: User, settings: Settings, address: str
) -> None:
    """The attack: the link for another user's new password leads to a port on which the attacker waits."""
    settings.PUBLIC_URL = "https://arena.example:8443"
    client.post(RESET, {"email": address}, headers={"Host": "testserver:6666"})
    (sent,) = mail.outbox
    assert sent.subject.startswith("[arena.example:8443] ")
    assert re.findall(r"\w+://[^/\s]+", sent.body) == ["https://arena.example:8443"]
    assert "testserver" not in sent.body


def test_the_mail_that_confirms_an_email_address_names_the_public_host(alices: Client, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://arena.example"
    alices.post("/accounts/reauthenticate/", {"password": PASSWORD})
    alices.post("/accounts/email/", {"action_add": "", "email": "a@b.example"}, headers={"Host": "testserver:6666"})
    (sent,) = mail.outbox
    assert "https://arena.example/accounts/confirm-email/" in sent.body
    assert "testserver" not in f"{sent.subject} {sent.body}"


def test_the_page_does_not_reveal_which_email_addresses_have_accounts(
    client: Client, addressed: User, away: None
) -> None:
    assert forgotten(client).content == forgotten(client, "nobody@example.com").content


def test_at_least_one_thread_never_waits_for_a_mail_server(client: Client, addressed: User) -> None:
    with ExitStack() as waiting:
        for _ in range(mails.MAILS_AT_ONCE_MAX):
            waiting.enter_context(mails.mail_sending("another"))
        assert forgotten(client).status_code == 503
        assert not mail.outbox
    assert forgotten(client).status_code == 302
    assert len(mail.outbox) == 1


def test_a_new_email_address_is_stored_and_confirmed_later(
    client: Client, alice: User, away: None, settings: Settings
) -> None:
    client.force_login(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    new = {"action_add": "", "email": "alice@example.com"}
    assert client.post("/accounts/email/", new).status_code == 503
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    again = {"action_send": "", "email": "alice@example.com"}
    assert client.post("/accounts/email/", again).status_code == 302
    assert len(mail.outbox) == 1


def changed(client: Client) -> HttpResponse:
    new = {"oldpassword": PASSWORD, "password1": "a battery staple", "password2": "a battery staple"}
    return client.post("/accounts/password/change/", new)


def test_the_owner_gets_a_mail_about_a_new_password(alices: Client, addressed: User) -> None:
    changed(alices)
    (notice,) = mail.outbox
    assert (notice.to, notice.subject) == (["alice@example.com"], "[127.0.0.1:8000] Password Changed")


def test_a_password_is_changed_although_no_mail_can_be_sent(
    alices: Client, addressed: User, away: None, caplog: pytest.LogCaptureFixture
) -> None:
    assert changed(alices).status_code == 302
    addressed.refresh_from_db()
    assert addressed.check_password("a battery staple")
    assert [record.msg["mail"] for record in caplog.records if record.name == "accounts.mails"] == [
        "account/email/password_changed"
    ]


@pytest.mark.django_db(transaction=True)  # mails are sent on commit, and need the request
def test_the_owner_gets_a_mail_about_each_change_of_two_factors_and_email_address(
    alices: Client, addressed: User
) -> None:
    cache.clear()
    alices.post("/accounts/reauthenticate/", {"password": PASSWORD})
    secret = alices.get("/accounts/2fa/totp/activate/").context["form"].secret
    alices.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    alices.post("/accounts/2fa/recovery-codes/generate/")
    alices.post("/accounts/2fa/totp/deactivate/")
    EmailAddress.objects.create(user=addressed, email="new@example.com", verified=True)
    alices.post("/accounts/email/", {"email": "new@example.com", "action_primary": ""})
    assert [str(notice.subject).removeprefix("[127.0.0.1:8000] ") for notice in mail.outbox] == [
        "Authenticator App Activated",
        "New Recovery Codes Generated",
        "Authenticator App Deactivated",
        "Email Changed",
    ]
    assert {address for notice in mail.outbox for address in notice.to} == {"alice@example.com"}, "the old one"


def test_the_owner_gets_a_mail_when_an_administrator_turns_two_factors_off(
    addressed: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    two_factor_on(addressed)
    with django_capture_on_commit_callbacks(execute=True), override("ru"):
        account_two_factor_off(user=addressed, actor=None)
    (message,) = mail.outbox
    assert message.to == ["alice@example.com"]
    assert "by its password alone" in message.body


def test_mails_name_the_senders_domain_and_suppress_automatic_replies(
    client: Client, addressed: User, settings: Settings, sink: list[str]
) -> None:
    """By default the name would be ``localhost`` or the id of a container, and holiday replies would come back."""
    settings.DEFAULT_FROM_EMAIL = "Banzuke <banzuke@arena.example>"
    mails.mail_domain_set()
    forgotten(client)
    mails.owner_notify(user=addressed, kind="test", subject="番付", text="長い" * 600)
    assert [line for line in sink if line.lower().startswith("ehlo")] == ["ehlo arena.example"] * 2
    numbers = [line for line in sink if line.startswith("Message-ID: ")]
    assert len(numbers) == 2
    assert all(number.endswith("@arena.example>") for number in numbers)
    assert sink.count("Auto-Submitted: auto-generated") == 2
    assert max(map(len, sink)) < 998
    assert all(line.isascii() for line in sink)


def test_the_url_of_a_mail_server_is_read_as_the_guide_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Environment()
    monkeypatch.setenv("EMAIL_URL", "smtp+tls://user:a%2Fb%23c%3Fd%25e+f@mail.example:587")
    found = read.mail("EMAIL_URL")
    assert (found["EMAIL_HOST_PASSWORD"], found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == ("a/b#c?d%e+f", 587, True)
    monkeypatch.setenv("EMAIL_URL", "smtp+ssl://user:password@mail.example:465")
    found = read.mail("EMAIL_URL")
    assert (found["EMAIL_PORT"], found["EMAIL_USE_SSL"], "EMAIL_USE_TLS" in found) == (465, True, False)


def test_the_site_starts_although_the_sender_is_invalid(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DNS_NAME, "_fqdn", "7f3a01c2", raising=False)
    settings.DEFAULT_FROM_EMAIL = "banzuke@arena..example"
    mails.mail_domain_set()
    assert str(DNS_NAME) == "7f3a01c2"
