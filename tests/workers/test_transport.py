"""Messages that are sent whatever happens to a channel, and what the site asks the broker itself."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
import redis
from kombu.transport.redis import Channel

from workers import transport
from workers.jobs import (
    LANGUAGES_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    Heartbeat,
    LanguagesReport,
    MatchReport,
)
from workers.transport import CLOCKS_APART_SECONDS, application, in_turn, listening, missing_still, send

RESULT = MatchReport(1, 1, "0" * 32, "worker", 0, [], None)


def test_a_pause_in_listening_is_noticed(broker_url: str) -> None:
    app = application("site", broker_url)

    def listens(name: str) -> bool:
        with listening(app, name, pause_seconds=60) as without_pause:
            return without_pause

    assert not listens("matches"), "it begins with a pause"
    assert listens("matches")
    assert not listens("builds"), "each listener for itself"
    with redis.Redis.from_url(broker_url) as client:
        assert 0 < client.pttl("listening.matches") <= 60_000
        client.delete("listening.matches")  # what time does, too
    with pytest.raises(RuntimeError), listening(app, "matches", pause_seconds=60):
        raise RuntimeError
    assert not listens("matches"), "it could do nothing with what it has heard"


def test_what_takes_long_is_done_by_one_at_a_time_with_a_rest(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = application("site", broker_url)
    now = 1_000.0
    monkeypatch.setattr(transport.time, "monotonic", lambda: now)

    def is_mine(name: str) -> bool:
        with in_turn(app, name, seconds_max=60, rest=3) as mine:
            return mine

    def fail(client: redis.Redis) -> None:
        nonlocal now
        with in_turn(app, "fit", seconds_max=60, rest=3) as mine:
            assert mine
            assert not is_mine("fit")
            assert 59_000 < client.pttl("turn.fit") <= 60_000, "whoever does it may die, but is not forgotten before"
            assert is_mine("another")
            now += 100
            raise RuntimeError

    with redis.Redis.from_url(broker_url) as client:
        with pytest.raises(RuntimeError):
            fail(client)
        assert not is_mine("fit"), "it rests, also after a failure"
        assert 299_000 < client.pttl("turn.fit") <= 300_000
        client.delete("turn.fit")  # what time does, too
        assert is_mine("fit")


def test_what_has_been_missing_for_long_is_named(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = application("site", broker_url)
    now = 1_000.0
    monkeypatch.setattr(transport.time, "time", lambda: now)

    def missing(queue: str, *pks: int) -> set[int]:
        return missing_still(app, queue, set(pks), for_seconds=2, within_seconds=60)

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


def test_a_channel_that_lost_its_connection_is_no_end(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next channel sends."""
    publish = Channel.basic_publish

    def publish_when_closed(channel: Channel, *args: object, **options: object) -> object:
        monkeypatch.undo()
        channel.close()
        channel._disconnect_pools()  # as it does when the broker has died
        return publish(channel, *args, **options)

    monkeypatch.setattr(Channel, "basic_publish", publish_when_closed)
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        send(app, MATCH_HEARTBEAT_TASK, Heartbeat(1, "0" * 32, "worker"))
        assert client.llen("report") == 1


@pytest.mark.parametrize(
    ("task", "message"),
    [(MATCH_HEARTBEAT_TASK, Heartbeat(1, "0" * 32, "worker")), (MATCH_RESULT_TASK, RESULT)],
)
def test_a_machine_whose_clock_is_wrong_is_heard(
    broker_url: str, monkeypatch: pytest.MonkeyPatch, task: str, message: Heartbeat | MatchReport
) -> None:
    """It writes when a message expires by its own clock; the site drops by another one what has expired."""
    slow = timedelta(seconds=CLOCKS_APART_SECONDS)
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        monkeypatch.setattr(app, "now", lambda: datetime.now(UTC) - slow)
        send(app, task, message)
        expires = json.loads(client.lindex("report", 0))["headers"]["expires"]
    assert expires is None or datetime.fromisoformat(expires) > datetime.now(UTC)


@pytest.mark.parametrize("message", [RESULT, LanguagesReport("worker", [])], ids=["result", "languages"])
def test_what_is_said_once_is_tried_for_minutes(
    monkeypatch: pytest.MonkeyPatch, message: MatchReport | LanguagesReport
) -> None:
    """A sign of life is not: the next one comes soon."""
    policies: list[dict[str, float]] = []
    app = application("test", "memory://")
    monkeypatch.setattr(app, "send_task", lambda task, *, retry_policy, **_: policies.append(retry_policy))
    send(app, MATCH_RESULT_TASK if message is RESULT else LANGUAGES_TASK, message)
    send(app, MATCH_HEARTBEAT_TASK, Heartbeat(1, "0" * 32, "worker"))
    once, again = (policy["max_retries"] * policy["interval_max"] for policy in policies)
    assert once >= 300
    assert again < LEASE_SECONDS
