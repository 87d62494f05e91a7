"""Whom limits count: the account of who is signed in, else the IP address; and the limits of known networks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from arena.settings import base
from common.limits import network_limit
from tests.ladder.makers import make_user
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db

SCHOOL, STREET = "192.0.2.7", "203.0.113.5"
PLAY = "/play/games/kakomimasu/"


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def statuses(client: Client, path: str, *, times: int, address: str = STREET) -> list[int]:
    """Send a form again and again; return the statuses of the answers."""
    return [client.post(path, {}, REMOTE_ADDR=address).status_code for _ in range(times)]


def test_a_limit_of_visitors_counts_accounts_and_only_guests_by_address(settings: Settings, alice: User) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"table": "2/h/visitor"}
    assert statuses(Client(), PLAY, times=3) == [200, 200, 429]
    assert statuses(Client(), PLAY, times=1) == [429], "another browser of the same address"
    assert statuses(Client(), PLAY, times=1, address=SCHOOL) == [200]
    for user in (alice, make_user("bob")):
        assert statuses(signed_in(user), PLAY, times=3) == [200, 200, 429]
    assert statuses(signed_in(alice), PLAY, times=1, address=SCHOOL) == [429], "an account has one count everywhere"


def test_a_token_is_an_account_for_the_limits_of_the_api(settings: Settings, alice: User) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"table": "1/h/visitor"}
    assert [signed_in(alice).post("/api/v1/tables/", {}).status_code for _ in range(2)][1] == 429
    assert signed_in(make_user("bob")).post("/api/v1/tables/", {}).status_code != 429


def test_who_is_signed_in_guesses_no_more_passwords_than_a_guest(settings: Settings, alice: User) -> None:
    """The attack: somebody makes accounts, and with each of them guesses passwords of others."""
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    assert statuses(Client(), "/accounts/login/", times=2) == [200, 429]
    assert statuses(signed_in(alice), "/accounts/login/", times=1) == [429]


@pytest.mark.parametrize(("action", "path"), [("signup", "/accounts/signup/"), ("login", "/accounts/login/")])
def test_a_known_network_has_limits_of_its_own_on_the_forms_of_allauth(
    settings: Settings, action: str, path: str
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {action: "1/h/ip"}
    settings.TRUSTED_NETWORKS = {"192.0.2.0/24": {action: "3/h"}}
    assert statuses(Client(), path, times=2) == [200, 429]
    assert statuses(Client(), path, times=4, address=SCHOOL) == [200, 200, 200, 429]
    assert statuses(Client(), path, times=1, address="192.0.2.8") == [200], "each address is counted for itself"


def test_wrong_passwords_of_a_class_keep_their_limits_by_account(settings: Settings, alice: User) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "1/m/ip,2/300s/key"}
    settings.TRUSTED_NETWORKS = {SCHOOL: {"login_failed": "100/m"}}
    wrong = {"login": "alice", "password": "a guess"}
    told = [Client(REMOTE_ADDR=SCHOOL).post("/accounts/login/", wrong).text for _ in range(3)]
    assert ["Too many failed" in text for text in told] == [False, False, True]
    another = Client(REMOTE_ADDR=SCHOOL).post("/accounts/login/", {**wrong, "login": "bob"})
    assert "Too many failed" not in another.text


def test_a_known_network_has_a_rate_of_its_own_in_the_api(settings: Settings) -> None:
    settings.API_RATES = {"anon": "1/min"}
    settings.TRUSTED_NETWORKS = {"2001:db8::/48": {"anon": "2/m"}}
    for address, many in ((STREET, 1), ("2001:db8:0:9::1", 2), ("2001:db8:1::1", 1)):
        client = Client(REMOTE_ADDR=address)
        answers = [client.get("/api/v1/languages/").status_code for _ in range(many + 1)]
        assert answers == [200] * many + [429], address


@pytest.mark.parametrize(
    ("network", "most"), [("192.0.2.7", 40), ("192.0.2.8", 20), ("192.0.3.1", 2), ("unknown", 2), ("2001:db8::", 2)]
)
def test_the_smallest_network_around_an_address_counts(settings: Settings, network: str, most: int) -> None:
    settings.NETWORK_LIMITS = {"tables": 2}
    settings.TRUSTED_NETWORKS = {"192.0.2.0/24": {"tables": 20}, "192.0.2.7": {"tables": 40}}
    assert network_limit(name="tables", network=network) == most


def test_what_guests_do_too_is_limited_by_visitor() -> None:
    """Only what is done before one is signed in counts the address of everybody."""
    by_address = {action for action, limit in base.ACCOUNT_RATE_LIMITS.items() if "/ip" in limit}
    assert by_address == {"signup", "login", "login_failed"}
