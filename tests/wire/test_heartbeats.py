"""Heartbeats: keys of the broker that are overwritten, taken once, and read only if they are well formed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from deploy.broker import Broker
from wire.heartbeats import HEARTBEAT_PREFIX, heartbeats_take


@pytest.fixture
def site(broker_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(broker_url) as client:
        yield client


def test_malformed_heartbeats_are_left_out(site: redis.Redis, broker: Broker) -> None:
    """The attack: a worker that was taken over writes megabytes, or what is no heartbeat."""
    with redis.Redis.from_url(broker.player_url) as hostile:
        for number, value in enumerate((b"", b"one line", b"x" * (1 << 20), b"a\nb")):
            hostile.set(f"{HEARTBEAT_PREFIX}.{number}", value)
    assert heartbeats_take(site, 0, count=1_000) == (0, [])
    assert site.dbsize() == 0
