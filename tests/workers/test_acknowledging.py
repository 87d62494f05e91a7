"""A worker that could not acknowledge is free for the next job, and what it could not do is not dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis
from celery.canvas import Signature
from celery.contrib.testing.worker import start_worker
from kombu import Message
from kombu.exceptions import OperationalError

from tests.waiting import wait_until
from workers.transport import application


@pytest.mark.parametrize("deed", [Message.ack, Message.reject, Message.requeue])
def test_a_failed_acknowledgement_leaves_nobody_deaf(
    broker_url: str, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Message], None]
) -> None:
    app = application("test", broker_url)
    with app.connection_for_read() as connection, connection.SimpleQueue("play") as queue:
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


def test_what_can_be_neither_done_nor_sent_once_more_goes_back_into_its_queue(
    broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Database and broker away at once: Celery would drop the result of a match."""
    app = application("test", broker_url)
    heard: list[str] = []

    def away(*_: object, **__: object) -> None:
        raise OperationalError

    def result(text: str) -> None:
        heard.append(text)
        if len(heard) == 1:
            raise OSError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(Signature, "apply_async", away)
        app.task(name="result", autoretry_for=(OSError,))(result)
        app.send_task("result", args=["won"], queue="report")
        with start_worker(app, pool="solo", queues=["report"], perform_ping_check=False, loglevel="CRITICAL"):
            wait_until(lambda: len(heard) == 2, lambda: heard)
    assert heard == ["won", "won"]
