"""Messages that are sent whatever happens to a channel."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
import redis
from kombu.transport.redis import Channel

from workers.jobs import (
    LANGUAGES_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    Heartbeat,
    LanguagesReport,
    MatchReport,
)
from workers.transport import CLOCKS_APART_SECONDS, application, send

RESULT = MatchReport(1, 1, "0" * 32, "worker", 0, [], None)


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
