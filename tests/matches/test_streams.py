"""Keys that hosts create in the broker expire whatever TTL they ask for; those of the site and honest workers stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from matches.services import streams
from matches.services.streams import streams_sweep
from tests.managing import site_sends_to
from wire.live import STREAM_SECONDS
from wire.tables import TABLE_KEY_SECONDS


@pytest.fixture
def broker(broker_url: str) -> Iterator[Redis]:
    """The broker of the site, empty."""
    with site_sends_to(broker_url), Redis.from_url(broker_url) as client:
        yield client


def test_a_stream_expires_whatever_ttl_its_host_has_set(broker: Redis) -> None:
    for name, seconds in {"live.for ever": None, "live.for years": 10**8, "live.honest": 60}.items():
        broker.xadd(name, {"lines": "a turn"})
        if seconds:
            broker.expire(name, seconds)
    streams_sweep()
    assert 60 < broker.ttl("live.for ever") <= STREAM_SECONDS
    assert 60 < broker.ttl("live.for years") <= STREAM_SECONDS
    assert broker.ttl("live.honest") <= 60


def test_keys_of_tables_expire_as_those_of_honest_workers_do(broker: Redis) -> None:
    for name, seconds in {"table.north.for ever": None, "table.north.years": 10**8, "table.north.honest": 300}.items():
        broker.xadd(name, {"lines": "a turn"})
        if seconds:
            broker.expire(name, seconds)
    broker.rpush("answers.north.for ever", "an answer")
    streams_sweep()
    for name in ("table.north.for ever", "table.north.years", "answers.north.for ever"):
        assert STREAM_SECONDS < broker.ttl(name) <= TABLE_KEY_SECONDS
    assert STREAM_SECONDS < broker.ttl("table.north.honest") <= 300


def test_only_lists_that_are_queues_stay(broker: Redis) -> None:
    """A host may create others, for the self-ping of its worker."""
    queues = {"play", "table", "build", "report", "manage"}
    for name in {*queues, "echo.host-north.play@here", "echo.host-north.mine", "_kombu.binding.workers.pidbox"}:
        broker.rpush(name, "job")
    streams_sweep()
    assert {key.decode() for key in broker.scan_iter() if broker.ttl(key) < 0} == queues


def test_a_flood_of_names_is_swept_in_parts(broker: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEYS_AT_ONCE", 10)
    monkeypatch.setattr(streams, "STEPS_MAX", 5)
    names = [f"live.{number}" for number in range(500)]
    for name in names:
        broker.xadd(name, {"lines": ""})
    swept = []
    for _ in range(40):
        streams_sweep()
        swept.append(sum(broker.ttl(name) > 0 for name in names))
    assert swept[0] < 100
    assert swept[-1] == 500
