"""Sending of messages over closed, frozen and refused connections."""

from __future__ import annotations

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis
from celery import Celery
from kombu.exceptions import OperationalError
from kombu.transport.redis import Channel, Transport
from structlog.testing import capture_logs

from deploy.broker import broker_running
from tests.waiting import wait_until
from wire import transport
from wire.heartbeats import over_write
from wire.jobs import (
    BEAT_SECONDS,
    BUILD_RESULT_TASK,
    HEARTBEAT_SECONDS,
    LANGUAGES_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    REPORT_QUEUE,
    WORKER_BEAT_TASK,
    Heartbeat,
    MatchReport,
)
from wire.transport import CLOCKS_APART_SECONDS, PATIENCE_SECONDS, application, send
from workers.self_ping import INTERVALS_MAX

RESULT = MatchReport(1, 1, "0" * 32, "worker", 0, [], None)
LIFE = Heartbeat(1, "0" * 32, "worker")


def test_a_channel_that_lost_its_connection_is_no_end(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish = Channel.basic_publish

    def publish_when_closed(channel: Channel, *args: object, **options: object) -> object:
        monkeypatch.undo()
        channel.close()
        channel._disconnect_pools()  # as it does when the broker has died
        return publish(channel, *args, **options)

    monkeypatch.setattr(Channel, "basic_publish", publish_when_closed)
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        send(app, MATCH_HEARTBEAT_TASK, LIFE)
        assert client.llen("report") == 1


def expires_of(app: Celery, task: str) -> datetime | None:
    send(app, task, LIFE)  # any message, whatever the task
    with redis.Redis.from_url(app.conf.broker_url) as client:
        expires = json.loads(client.lindex(REPORT_QUEUE, 0))["headers"]["expires"]
    return expires and datetime.fromisoformat(expires)


@pytest.mark.parametrize("task", [MATCH_HEARTBEAT_TASK, WORKER_BEAT_TASK])
def test_heartbeats_of_a_machine_with_a_wrong_clock_count(
    broker_url: str, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    """The worker writes the expiry time by its own clock, and the site compares it with another clock."""
    slow = timedelta(seconds=CLOCKS_APART_SECONDS)
    with application("test", broker_url) as app:
        monkeypatch.setattr(app, "now", lambda: datetime.now(UTC) - slow)
        expires = expires_of(app, task)
        assert expires_of(app, MATCH_RESULT_TASK) is None, "a result counts however late"
    assert expires is not None, "otherwise a site that was away would first handle all old ones"
    assert expires > datetime.now(UTC)


def test_a_frozen_connection_costs_no_lease(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is sent on it is answered; the heartbeat goes over another one before the lease has run out."""
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        send(app, MATCH_HEARTBEAT_TASK, LIFE)
        waited = 0.0

        def publish_into_nothing(channel: Channel, *message: object, **options: object) -> object:
            nonlocal waited
            monkeypatch.undo()
            waited = channel.client.connection_pool.connection_kwargs["socket_timeout"]
            raise redis.TimeoutError("Timeout reading from socket")

        monkeypatch.setattr(Channel, "basic_publish", publish_into_nothing)
        send(app, MATCH_HEARTBEAT_TASK, LIFE)
        assert client.llen("report") == 2
    assert 0 < HEARTBEAT_SECONDS + waited < LEASE_SECONDS


def test_a_waiting_worker_replaces_a_frozen_connection_before_it_counts_as_unreachable() -> None:
    """The time follows from kombu's settings (``kombu.transport.redis``, ``health_check_interval``)."""
    interval_seconds = application("test", "memory://").conf.broker_transport_options["health_check_interval"]
    assert Transport.brpop_timeout + 2 * interval_seconds < INTERVALS_MAX * BEAT_SECONDS


@pytest.mark.parametrize(("is_told_over", "times"), [(False, 2), (True, 1)])
def test_a_report_whose_answer_is_lost_is_sent_once_more_at_most(
    broker_url: str, monkeypatch: pytest.MonkeyPatch, is_told_over: bool, times: int
) -> None:
    """Not even once more, if the site says meanwhile that its lease has ended."""
    publish = Channel.basic_publish

    def publish_unanswered(channel: Channel, *message: object, **options: object) -> None:
        monkeypatch.undo()
        publish(channel, *message, **options)
        raise redis.TimeoutError("Timeout reading from socket")

    monkeypatch.setattr(Channel, "basic_publish", publish_unanswered)
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        if is_told_over:
            over_write(client, [RESULT.lease_token])
        send(app, MATCH_RESULT_TASK, RESULT)
        assert client.llen("report") == times


def test_a_frozen_broker_gets_a_report_twice_at_most(tmp_path: Path) -> None:
    """It took each of the fifteen that a worker had sent meanwhile."""
    with (
        broker_running(tmp_path, site_password="site", player_password="player") as broker,
        application("test", broker.player_url) as app,
        ThreadPoolExecutor() as pool,
        capture_logs() as lines,
    ):
        app.conf.broker_transport_options |= {"socket_timeout": 0.3}
        send(app, WORKER_BEAT_TASK, LIFE)  # it is connected
        broker.process.send_signal(signal.SIGSTOP)
        sending = pool.submit(send, app, MATCH_RESULT_TASK, RESULT)
        wait_until(lambda: any(line["event"] == "broker_awaited" for line in lines), lambda: lines)
        broker.process.send_signal(signal.SIGCONT)
        sending.result(timeout=60)
        with redis.Redis.from_url(broker.site_url) as client:
            assert client.llen("report") in (2, 3), "with the first message"


class Hours:
    """A clock that only sleeping advances, by half a minute each time."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, _seconds: float) -> None:
        self.now += 30


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    hours = Hours()
    monkeypatch.setattr(transport, "time", hours)
    return hours


@pytest.mark.parametrize("task", [MATCH_RESULT_TASK, BUILD_RESULT_TASK, LANGUAGES_TASK])
@pytest.mark.parametrize(
    "refusal", [OperationalError("Timeout connecting to server"), redis.ReadOnlyError("You can't write here.")]
)
def test_a_message_that_is_sent_once_is_retried_for_minutes(
    broker_url: str, hours: Hours, monkeypatch: pytest.MonkeyPatch, refusal: Exception, task: str
) -> None:
    """Kombu itself gives up at once without a connection, and soon when the broker refuses the message."""
    publish = Channel.basic_publish

    def refuse_for_minutes(channel: Channel, *message: object, **options: object) -> object:
        if hours.now < PATIENCE_SECONDS:
            raise refusal
        return publish(channel, *message, **options)

    monkeypatch.setattr(Channel, "basic_publish", refuse_for_minutes)
    with application("test", broker_url) as app, redis.Redis.from_url(broker_url) as client:
        send(app, task, RESULT)
        assert client.llen("report") == 1


@pytest.mark.parametrize(
    ("task", "give_up_soon", "is_soon"),
    [(MATCH_HEARTBEAT_TASK, False, True), (MATCH_RESULT_TASK, True, True), (MATCH_RESULT_TASK, False, False)],
)
def test_all_but_a_heartbeat_and_a_message_without_patience_are_tried_for_long(
    hours: Hours, monkeypatch: pytest.MonkeyPatch, task: str, give_up_soon: bool, is_soon: bool
) -> None:
    def refuse(task: str, *, retry_policy: dict[str, float], **_: object) -> None:
        hours.now += retry_policy["max_retries"] * retry_policy["interval_max"]
        raise OperationalError

    app = application("test", "memory://")
    monkeypatch.setattr(app, "send_task", refuse)
    with pytest.raises(OperationalError):
        send(app, task, RESULT, give_up_soon=give_up_soon)
    assert (hours.now < LEASE_SECONDS, hours.now >= PATIENCE_SECONDS) == (is_soon, not is_soon)
