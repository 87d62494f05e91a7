"""A worker that could not acknowledge is free for the next job, and what it could not do is not dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis
from celery import Task
from celery.canvas import Signature
from celery.contrib.testing.worker import start_worker
from kombu import Exchange, Message, Queue
from kombu.exceptions import OperationalError

from tests.waiting import wait_until
from wire.transport import application
from wire.visibility import QoS


@pytest.mark.parametrize("deed", [Message.ack, Message.reject, Message.requeue])
def test_a_failed_acknowledgement_leaves_nobody_deaf(
    broker_url: str, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Message], None]
) -> None:
    app = application("test", broker_url)
    kept = Queue("kept", Exchange(""), routing_key="kept")  # as Celery sends: by the name of the queue
    with app.connection_for_read() as connection, connection.SimpleQueue(kept) as queue:
        queue.put("first")
        queue.put("second")
        queue.consumer.qos(prefetch_count=1)
        message = queue.get(timeout=10)
        qos = queue.channel.qos
        assert not qos.can_consume()

        def broken(*_: object, **__: object) -> None:
            raise redis.ConnectionError

        with monkeypatch.context() as patch:
            patch.setattr(qos, "_remove_from_indices", broken)
            with pytest.raises(redis.ConnectionError):
                deed(message)
        assert qos.can_consume()
        assert queue.get(timeout=10).payload == "second"


def failing_first(heard: list[str]) -> Callable[[str], None]:
    """What keeps what it hears, and is kept by the database from doing the first of it."""

    def result(text: str) -> None:
        heard.append(text)
        if len(heard) == 1:
            raise OSError("the database is away")

    return result


def test_what_can_be_neither_done_nor_sent_once_more_goes_back_into_its_queue(
    broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Database and broker away at once: Celery would drop the result of a match."""
    app = application("test", broker_url)
    heard: list[str] = []

    def away(*_: object, **__: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(Signature, "apply_async", away)
        app.task(name="result", autoretry_for=(OSError,))(failing_first(heard))
        app.send_task("result", args=["won"], queue="kept")
        with start_worker(app, pool="solo", queues=["kept"], perform_ping_check=False, loglevel="CRITICAL"):
            wait_until(lambda: len(heard) == 2, lambda: heard)
    assert heard == ["won", "won"]


def test_what_is_sent_once_more_is_sent_by_another_channel_where_its_own_is_dead(
    broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A firewall has forgotten all connections: nothing can be given back by the one that brought it."""
    app = application("test", broker_url)
    heard: list[str] = []
    send = Task.apply_async
    dead = iter([AttributeError("'NoneType' object has no attribute 'client'")])

    def sent(*args: object, **options: object) -> object:
        for error in dead:
            raise error
        return send(*args, **options)

    def silent(*_: object) -> None:
        raise redis.TimeoutError

    monkeypatch.setattr(Task, "apply_async", sent)
    monkeypatch.setattr(QoS, "reject", silent)
    app.conf.broker_transport_options["polling_interval"] = 0.1
    app.task(name="result.again", autoretry_for=(OSError,), default_retry_delay=0)(failing_first(heard))
    app.send_task("result.again", args=["won"], queue="kept")
    with start_worker(app, pool="solo", queues=["kept"], perform_ping_check=False, loglevel="CRITICAL"):
        wait_until(lambda: len(heard) == 2, lambda: heard)
    assert heard == ["won", "won"]
