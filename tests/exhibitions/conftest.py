"""Fixtures of the tests of tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings
from redis import Redis

from exhibitions.services.opening import Opened
from tests.exhibitions.makers import make_player, make_table, table_begin


@pytest.fixture
def streams(broker_url: str, settings: Settings) -> Iterator[Redis]:
    """A client of the site's broker, which plays the worker's part."""
    settings.REDIS_URL = broker_url
    with Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def table(streams: Redis) -> Opened:
    """A table of two guests that a worker has begun."""
    opened = make_table(make_player(), make_player(name="Bob", visitor="192.0.2.2"))
    table_begin(opened.match)
    return opened
