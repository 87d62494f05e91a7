"""Mails while the mail server is away: who waits is told what to do, and the site goes on."""

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
from allauth.mfa.models import Authenticator
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


@pytest.fixture
def sink(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a mail server hears."""
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
def test_who_has_forgotten_a_password_is_told_to_try_again(
    server: str, request: pytest.FixtureRequest, client: Client, addressed: User, caplog: pytest.LogCaptureFixture
) -> None:
    request.getfixturevalue(server)
    begun = time.monotonic()
    page = forgotten(client)
    assert time.monotonic() - begun < 10
    assert page.status_code == 503
    assert "try again in a few minutes" in page.text
    (told,) = [record.msg for record in caplog.records if record.name == "accounts.mails"]
    assert told["event"] == "mail_unsent"
    assert told["mail"] == "account/email/password_reset_key"


@pytest.mark.parametrize("address", ["alice@example.com", "nobody@example.com"], ids=["theirs", "nobody's"])
def test_a_mail_names_the_site_itself_whatever_it_is_called_by_whoever_asks_for_it(
    client: Client, addressed: User, settings: Settings, address: str
) -> None:
    """The attack: the link for another's password leads to a port of the same machine, on which the attacker waits."""
    settings.PUBLIC_URL = "https://arena.example:8443"
    client.post(RESET, {"email": address}, headers={"Host": "testserver:6666"})
    (sent,) = mail.outbox
    assert sent.subject.startswith("[arena.example:8443] ")
    assert re.findall(r"\w+://[^/\s]+", sent.body) == ["https://arena.example:8443"]
    assert "testserver" not in sent.body


def test_and_so_does_the_mail_that_confirms_an_address(alices: Client, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://arena.example"
    alices.post("/accounts/reauthenticate/", {"password": PASSWORD})
    alices.post("/accounts/email/", {"action_add": "", "email": "a@b.example"}, headers={"Host": "testserver:6666"})
    (sent,) = mail.outbox
    assert "https://arena.example/accounts/confirm-email/" in sent.body
    assert "testserver" not in f"{sent.subject} {sent.body}"


def test_the_page_tells_nobody_which_addresses_there_are(client: Client, addressed: User, away: None) -> None:
    assert forgotten(client).content == forgotten(client, "nobody@example.com").content


def test_one_thread_at_least_never_waits_for_a_mail_server(client: Client, addressed: User) -> None:
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


def changed(client: Client) -> HttpResponse:
    new = {"oldpassword": PASSWORD, "password1": "a battery staple", "password2": "a battery staple"}
    return client.post("/accounts/password/change/", new)


def test_the_owner_hears_of_a_new_password(alices: Client, addressed: User) -> None:
    changed(alices)
    (notice,) = mail.outbox
    assert (notice.to, notice.subject) == (["alice@example.com"], "[127.0.0.1:8000] Password Changed")


def test_who_has_no_address_changes_it_all_the_same(alices: Client, alice: User) -> None:
    assert changed(alices).status_code == 302
    assert not mail.outbox


def test_and_so_does_who_cannot_be_told_now(
    alices: Client, addressed: User, away: None, caplog: pytest.LogCaptureFixture
) -> None:
    assert changed(alices).status_code == 302
    addressed.refresh_from_db()
    assert addressed.check_password("a battery staple")
    assert [record.msg["mail"] for record in caplog.records if record.name == "accounts.mails"] == [
        "account/email/password_changed"
    ]


@pytest.mark.django_db(transaction=True)  # notices go when it is committed, and need the request
def test_the_owner_hears_of_each_change_of_two_factors_and_of_another_address(alices: Client, addressed: User) -> None:
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


def test_the_owner_hears_that_an_administrator_has_turned_two_factors_off(
    addressed: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    two_factor_on(addressed)
    with django_capture_on_commit_callbacks(execute=True), override("ru"):
        account_two_factor_off(user=addressed, actor=None)
    (told,) = mail.outbox
    assert told.to == ["alice@example.com"]
    assert "by its password alone" in told.body


def test_two_factors_are_off_though_the_owner_cannot_be_told(
    addressed: User, away: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    two_factor_on(addressed)
    with django_capture_on_commit_callbacks(execute=True):
        account_two_factor_off(user=addressed, actor=None)
    assert not Authenticator.objects.exists()


def test_mails_come_from_the_senders_domain_and_want_no_answer(
    client: Client, addressed: User, settings: Settings, sink: list[str]
) -> None:
    """A machine's own name is ``localhost`` or a container's number, and whoever is on holiday has mails answered."""
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


def test_the_site_starts_though_the_sender_is_none(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DNS_NAME, "_fqdn", "7f3a01c2", raising=False)
    settings.DEFAULT_FROM_EMAIL = "banzuke@arena..example"
    mails.mail_domain_set()
    assert str(DNS_NAME) == "7f3a01c2"


def test_an_address_of_a_mail_server_is_read_as_the_guide_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Environment()
    monkeypatch.setenv("EMAIL_URL", "smtp+tls://user:a%2Fb%23c%3Fd%25e+f@mail.example:587")
    told = read.mail("EMAIL_URL")
    assert (told["EMAIL_HOST_PASSWORD"], told["EMAIL_PORT"], told["EMAIL_USE_TLS"]) == ("a/b#c?d%e+f", 587, True)
    monkeypatch.setenv("EMAIL_URL", "smtp+ssl://user:password@mail.example:465")
    told = read.mail("EMAIL_URL")
    assert (told["EMAIL_PORT"], told["EMAIL_USE_SSL"], "EMAIL_USE_TLS" in told) == (465, True, False)
