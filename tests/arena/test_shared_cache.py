"""Limits are counted in the broker; while that is away they still hold, and the site goes on."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings
from structlog.testing import capture_logs

from arena.serving.shared_cache import AWAY_SECONDS, SharedCache
from tests.ladder.makers import make_user

WAITS_SECONDS = 1

pytestmark = pytest.mark.django_db


@pytest.fixture
def frozen() -> Iterator[str]:
    """The URL of a broker that accepts connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"


def use(settings: Settings, url: str) -> None:
    settings.CACHES = {
        **settings.CACHES,
        "default": {
            "BACKEND": "arena.serving.shared_cache.SharedCache",
            "LOCATION": url,
            "KEY_PREFIX": f"cache-{urlsplit(url).port}",  # so that no test sees the counts of another
            "OPTIONS": {"socket_timeout": WAITS_SECONDS, "socket_connect_timeout": WAITS_SECONDS},
        },
    }


@pytest.fixture(autouse=True)
def just_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedCache, "away_until", 0.0)


def guess(client: Client) -> None:
    client.post("/accounts/login/", {"login": "alice", "password": "guess"})


def signs_in(client: Client) -> bool:
    page = client.post("/accounts/login/", {"login": "alice", "password": "correct horse"}, follow=True)
    assert page.status_code == 200
    return "Sign out" in page.content.decode()


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "frozen"])
def test_the_site_goes_on_without_a_broker_and_counts_guesses(
    settings: Settings, frozen: str, url: str, client: Client
) -> None:
    use(settings, frozen if url == "frozen" else url)
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/m/ip", "upload": "1/m/user"}
    settings.API_RATES = {"anon": "2/min"}
    make_user("alice")
    began = time.monotonic()
    with capture_logs() as lines:
        assert signs_in(client)
        assert client.post("/upload/", {}).status_code == 422
        assert client.post("/upload/", {}).status_code == 429
        assert [Client().get("/api/v1/games/").status_code for _ in range(3)] == [200, 200, 429]
        for _ in range(3):
            guess(Client())
        assert not signs_in(Client())
    asked = [line for line in lines if line["event"] == "shared_cache_away"]
    assert 1 <= len(asked) <= 1 + (time.monotonic() - began) / AWAY_SECONDS, "each request waits for it"


def test_all_processes_count_together_as_soon_as_it_is_back(
    settings: Settings, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(settings, "redis://127.0.0.1:1")
    cache.set("a", 1)
    use(settings, broker_url)
    assert cache.get("a") is None, "it is not asked again at once"
    monkeypatch.setattr(SharedCache, "away_until", 0.0)
    cache.set("a", 2)
    another = SharedCache(broker_url, settings.CACHES["default"])
    assert another.get("a") == 2
    assert not another.add("a", 3)
    assert another.delete("a")
    assert cache.get("a") is None
