"""State that managers share in the broker."""

from __future__ import annotations

import pytest
import redis

from jobs import coordination
from jobs.coordination import listened_without_pause, missing_for, redis_lock
from wire.transport import application


def test_a_pause_in_listening_is_noticed(broker_url: str) -> None:
    app = application("site", broker_url)

    def listens(name: str) -> bool:
        with listened_without_pause(app, name, pause_seconds=60) as without_pause:
            return without_pause

    assert not listens("matches"), "it begins with a pause"
    assert listens("matches")
    assert not listens("builds"), "each listener for itself"
    with redis.Redis.from_url(broker_url) as client:
        assert 0 < client.pttl("listening.matches") <= 60_000
        client.delete("listening.matches")  # as its expiry does
    with pytest.raises(RuntimeError), listened_without_pause(app, "matches", pause_seconds=60):
        raise RuntimeError
    assert not listens("matches"), "it could do nothing with what it has heard"


def test_a_clock_that_is_set_back_is_a_pause_and_keeps_no_lock_for_hours(
    broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the same machine the broker's keys, which should expire within seconds, live for an hour."""
    app = application("site", broker_url)
    now = 10_000.0
    monkeypatch.setattr(coordination.time, "time", lambda: now)

    def listens() -> bool:
        with listened_without_pause(app, "sweeps", pause_seconds=60) as without_pause:
            return without_pause

    def is_mine() -> bool:
        with redis_lock(app, "rates", seconds_max=60, rest=10**6) as mine:
            return mine

    def missing() -> set[int]:
        return missing_for(app, "late", {1}, for_seconds=2, within_seconds=60)

    assert [listens(), is_mine(), missing()] == [False, True, set()]
    now -= 2  # the time of another manager, whose clock is a little behind
    assert [listens(), is_mine()] == [True, False]
    now -= 3_600
    assert [listens(), is_mine(), missing()] == [False, True, {1}]
    assert [listens(), is_mine()] == [True, False]


def test_a_lock_is_held_by_one_at_a_time_and_rests_afterwards(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = application("site", broker_url)
    now = 1_000.0
    monkeypatch.setattr(coordination.time, "monotonic", lambda: now)

    def is_mine(name: str) -> bool:
        with redis_lock(app, name, seconds_max=60, rest=3) as mine:
            return mine

    def fail(client: redis.Redis) -> None:
        nonlocal now
        with redis_lock(app, "fit", seconds_max=60, rest=3) as mine:
            assert mine
            assert not is_mine("fit")
            assert 59_000 < client.pttl("turn.fit") <= 60_000, "the holder may have died, but keeps the lock until then"
            assert is_mine("another")
            now += 100
            raise RuntimeError

    with redis.Redis.from_url(broker_url) as client:
        with pytest.raises(RuntimeError):
            fail(client)
        assert not is_mine("fit"), "it rests, also after a failure"
        assert 299_000 < client.pttl("turn.fit") <= 300_000
        client.delete("turn.fit")  # as its expiry does
        assert is_mine("fit")


def test_messages_missing_for_long_enough_are_returned(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = application("site", broker_url)
    now = 1_000.0
    monkeypatch.setattr(coordination.time, "time", lambda: now)

    def missing(queue: str, *pks: int) -> set[int]:
        return missing_for(app, queue, set(pks), for_seconds=2, within_seconds=60)

    assert missing("play", 1, 2) == set()
    assert missing("play", 1, 2) == set(), "looked again at once"
    now += 2
    assert missing("build", 1, 2) == set(), "each queue for itself"
    assert missing("play", 2, 3) == {2}
    now += 1
    assert missing("play") == set()
    now += 2
    assert missing("play", 2, 3) == set(), "they were not missing in between"
    with redis.Redis.from_url(broker_url) as client:
        assert 0 < client.pttl("missing.play") <= 60_000
