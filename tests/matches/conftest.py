"""Fixtures of the tests of match pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings
from redis import Redis

from arena.settings.environment import BucketFolder
from arena.settings.stores import stores
from deploy.broker import free_port
from jobs.files.storage import ARTIFACTS, REPLAYS
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version


@pytest.fixture
def finished() -> Match:
    """A match of Alpha and Beta that has been played to its end."""
    return finish_match(make_match(make_version("Alpha"), make_version("Beta")))


@pytest.fixture
def away(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Point the stores of files at a bucket on a port where no server listens."""
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": ""}
    for name, value in {**keys, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"}.items():
        monkeypatch.setenv(name, value)
    found = stores(Path(settings.DATA), BucketFolder("bots", "arena"))
    in_bucket = {name: found[name] for name in (ARTIFACTS, REPLAYS)}
    return lambda: setattr(settings, "STORAGES", settings.STORAGES | in_bucket)


@pytest.fixture
def streams(broker_url: str, settings: Settings) -> Iterator[Redis]:
    """A client of the site's broker, for adding lines of live matches to streams as a worker does."""
    settings.REDIS_URL = broker_url
    with Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def watch(page: Page) -> Callable[..., Page]:
    """Return a function that opens a match's page at a turn, without playing, and waits until the replay is loaded."""

    def open_match(match: Match, hash_: str = "#t=0") -> Page:
        page.goto(f"/matches/{match.pk}/{hash_}")
        expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
        return page

    return open_match


@pytest.fixture
def no_workers(settings: Settings) -> None:
    """The queue is as short as the settings say."""
    settings.PROCESSES_ASSUMED, settings.MATCHES_IN_FLIGHT = 0, 8
