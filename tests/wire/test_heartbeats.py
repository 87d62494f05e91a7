"""Heartbeats: keys of the broker that are overwritten, taken once, and read only if they are well formed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import redis

from deploy.broker import Broker
from wire.heartbeats import (
    HEARTBEAT_PREFIX,
    OVER_KEPT_SECONDS,
    heartbeat_write,
    heartbeats_take,
    is_over,
    over_key,
    over_write,
)
from wire.jobs import MATCH_HEARTBEAT_TASK, Heartbeat


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


def test_a_lease_that_has_ended_is_told_to_who_knows_its_token(site: redis.Redis, broker: Broker) -> None:
    over_write(site, [])
    over_write(site, ["a" * 32, "b" * 32])
    with redis.Redis.from_url(broker.player_url) as player:
        assert is_over(player, "a" * 32)
        assert is_over(player, "b" * 32)
        assert not is_over(player, "c" * 32)
    assert 0 < site.ttl(over_key("a" * 32)) <= OVER_KEPT_SECONDS


def test_heartbeats_are_taken_in_parts_and_each_once(site: redis.Redis, broker: Broker) -> None:
    with redis.Redis.from_url(broker.player_url) as player:
        for number in range(60):
            beat = Heartbeat(number, f"{number:032x}", "w", 0.5)
            assert not heartbeat_write(player, broker.player_url, MATCH_HEARTBEAT_TASK, beat)
    found: list[int] = []
    cursor = -1
    while cursor:
        cursor, taken = heartbeats_take(site, max(cursor, 0), count=10)
        found += [msgspec.json.decode(each.body, type=Heartbeat).match_id for each in taken]
    assert sorted(found) == list(range(60))
    assert site.dbsize() == 0


def test_the_answer_to_a_heartbeat_says_whether_its_lease_has_ended(site: redis.Redis, broker: Broker) -> None:
    beat = Heartbeat(1, "a" * 32, "w")
    with redis.Redis.from_url(broker.player_url) as player:
        assert not heartbeat_write(player, broker.player_url, MATCH_HEARTBEAT_TASK, beat)
        over_write(site, [beat.lease_token])
        assert heartbeat_write(player, broker.player_url, MATCH_HEARTBEAT_TASK, beat)
