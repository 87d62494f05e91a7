"""Sign-up and sign-in, and the limits on attempts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from arena.settings import base

pytestmark = pytest.mark.django_db

PASSWORD = "a long and winding road"


def sign_up(client: Client, username: str) -> str:
    form = {"username": username, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/accounts/signup/", form, follow=True).content.decode()


def test_signing_up_needs_a_name_and_a_password_only(client: Client) -> None:
    assert "Sign out" in sign_up(client, "carol")
    assert User.objects.get().check_password(PASSWORD)


def test_an_email_address_that_another_account_uses_can_sign_up(client: Client, alice: User) -> None:
    """The address may belong to the new user, and nobody shall learn that it has an account."""
    EmailAddress.objects.create(user=alice, email="carol@example.com", primary=True)
    form = {"username": "carol", "email": "carol@example.com", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post("/accounts/signup/", form, follow=True).content.decode()
    assert "Sign out" in page
    client.post("/accounts/logout/")
    mail.outbox.clear()
    client.post("/accounts/password/reset/", {"email": "carol@example.com"})
    assert sorted(name for sent in mail.outbox for name in ("alice", "carol") if f" {name}." in sent.body) == [
        "alice",
        "carol",
    ], "its reader owns both accounts"


def test_a_confirmed_email_address_resets_only_the_password_of_its_own_account(client: Client, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    form = {"username": "mallory", "email": "alice@example.com", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", form)
    client.post("/accounts/logout/")
    mail.outbox.clear()
    client.post("/accounts/password/reset/", {"email": "alice@example.com"})
    (sent,) = mail.outbox
    assert " alice." in sent.body


@pytest.mark.parametrize("name", ["house", "House", "x" * 31, "a b", "<b>", "аdmin", "a\x07b", "", "..", "_-"])
def test_misleading_names_are_refused(client: Client, name: str) -> None:
    page = sign_up(client, name)
    assert not User.objects.exists()
    assert "errorlist" in page


def test_attempts_are_counted_together_whatever_host_they_name(client: Client, alice: User, settings: Settings) -> None:
    """The attack: attempts from many IP addresses, each with another port after the site's name."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "", "login_strangers": "3/300s/key"}
    for number in range(3):
        stranger = Client(REMOTE_ADDR=f"192.0.2.{number}", headers={"Host": f"testserver:{1000 + number}"})
        stranger.post("/accounts/login/", {"login": "Alice", "password": "guess"})
    page = client.post("/accounts/login/", {"login": "alice", "password": "correct horse"}, follow=True)
    assert "Sign out" not in page.content.decode()


def test_wrong_passwords_of_strangers_do_not_lock_out_the_owner(
    client: Client, alice: User, settings: Settings
) -> None:
    """The attack: five wrong passwords lock an account out of the API and of each new browser."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS
    for number in range(12):
        stranger = Client(REMOTE_ADDR=f"192.0.2.{number // 6}")
        stranger.post("/accounts/login/", {"login": "alice", "password": "guess"})
    assert is_let_in(Client(REMOTE_ADDR="203.0.113.1"), "correct horse")
    form = {"username": "alice", "password": "correct horse"}
    assert client.post("/api/v1/login/", form, content_type="application/json").status_code == 201
    assert not is_let_in(Client(REMOTE_ADDR="192.0.2.0"), "correct horse"), "who guesses is slowed down"


def test_attempts_from_many_ip_addresses_are_limited_and_do_not_lock_known_browsers(
    alice: User, settings: Settings
) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_strangers": "4/d/key"}
    home = "203.0.113.1"
    assert is_let_in(Client(REMOTE_ADDR=home), "correct horse")
    for number in range(3):
        assert not is_let_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), "guess")
    assert not is_let_in(Client(REMOTE_ADDR="192.0.2.9"), "correct horse"), "a lucky guess is too late"
    assert is_let_in(Client(REMOTE_ADDR=home), "correct horse"), "another browser, or a program"


def is_let_in(browser: Client, password: str) -> bool:
    return browser.post("/accounts/login/", {"login": "alice", "password": password}).status_code == 302


def test_uploads_are_limited(alices: Client, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"upload": "1/m/user"}
    assert alices.post("/upload/", {}).status_code == 422
    assert alices.post("/upload/", {}).status_code == 429
    assert alices.get("/upload/").status_code == 200


def test_sign_ups_are_limited(client: Client, settings: Settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    sign_up(client, "carol")
    response = Client().post("/accounts/signup/", {"username": "dave", "password1": PASSWORD, "password2": PASSWORD})
    assert response.status_code == 429
    text = response.content.decode()
    assert "Too many tries" in text
    assert "some limits last an hour" in text, "who waits for minutes alone is refused again"
    assert "an administrator can raise the limit" in text, "sixty people of a school share one address"


@pytest.mark.parametrize(
    ("addresses", "second"),
    [
        (("2001:db8:1:2::3", "2001:db8:1:2:ffff::4"), 429),
        (("fe80::1%eth0", "fe80::2%eth0"), 429),
        (("unknown", "10.0.0.300"), 429),
        (("::ffff:192.0.2.1", "::ffff:192.0.2.2"), 200),
    ],
    ids=["one network of IPv6", "one link", "a proxy that names none", "two visitors of IPv4"],
)
def test_a_network_of_ip_addresses_or_none_is_one_visitor(
    addresses: Sequence[str], second: int, settings: Settings
) -> None:
    """The attack: everybody has billions of IPv6 addresses, and can send any text that a proxy passes on."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    sent = {"login": "nobody", "password": PASSWORD}
    answers = [Client(REMOTE_ADDR=address).post("/accounts/login/", sent) for address in addresses]
    assert [answer.status_code for answer in answers] == [200, second]
