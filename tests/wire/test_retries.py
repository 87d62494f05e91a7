"""Messages that could not be handled or acknowledged go back into their queue."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
import redis
from celery import Task
from celery.canvas import Signature
from celery.contrib.testing.worker import start_worker
from kombu.exceptions import OperationalError

from tests.waiting import wait_until
from wire.message_filter import SERIALIZER, Channel, QoS
from wire.transport import application, undeclared_queue


@contextmanager
def taken(broker_url: str) -> Iterator[redis.Redis]:
    """Take a message without acknowledging it; yield the broker."""
    app = application("test", broker_url)
    with redis.Redis.from_url(broker_url) as broker, app.connection_for_read() as connection:
        queue = connection.SimpleQueue(undeclared_queue("kept"))
        queue.put("job")
        queue.get(timeout=10)
        yield broker


def test_a_taken_message_is_kept_in_memory_and_goes_back_at_the_end(broker_url: str) -> None:
    with taken(broker_url) as broker:
        assert broker.keys() == []
    assert broker.llen("kept") == 1
    assert broker.delete("kept")


def test_a_job_that_cannot_go_back_is_written_into_no_file(
    broker_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A job holds tokens, and such files would pile up for months."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    with taken(broker_url) as broker:
        monkeypatch.setattr(Channel, "_put", Mock(side_effect=redis.ConnectionError))
    assert list(tmp_path.iterdir()) == []
    assert not broker.llen("kept")


def failing_first(heard: list[bytes]) -> Callable[[bytes], None]:
    """Records the messages it handles; the database is away for the first."""

    def result(text: bytes) -> None:
        heard.append(text)
        if len(heard) == 1:
            raise OSError("the database is away")

    return result


def test_a_message_that_cannot_be_handled_or_resent_goes_back_into_its_queue(
    broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Database and broker are away at once; Celery would drop the result of a match."""
    app = application("test", broker_url)
    heard: list[bytes] = []

    with monkeypatch.context() as patch:
        patch.setattr(Signature, "apply_async", Mock(side_effect=OperationalError))
        app.task(name="result", autoretry_for=(OSError,))(failing_first(heard))
        app.send_task("result", args=[b"won"], queue="kept", serializer=SERIALIZER)
        with start_worker(app, pool="solo", queues=["kept"], perform_ping_check=False, loglevel="CRITICAL"):
            wait_until(lambda: len(heard) == 2, lambda: heard)
    assert heard == [b"won", b"won"]


def test_a_retry_uses_another_channel_if_its_own_is_closed(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A firewall has forgotten all connections, also the one on which the message would go back."""
    app = application("test", broker_url)
    heard: list[bytes] = []
    send = Task.apply_async
    dead = iter([AttributeError("'NoneType' object has no attribute 'client'")])

    def sent(*args: object, **options: object) -> object:
        for error in dead:
            raise error
        return send(*args, **options)

    monkeypatch.setattr(Task, "apply_async", sent)
    monkeypatch.setattr(QoS, "reject", Mock(side_effect=redis.TimeoutError))
    app.conf.broker_transport_options["polling_interval"] = 0.1
    app.task(name="result.again", autoretry_for=(OSError,), default_retry_delay=0)(failing_first(heard))
    app.send_task("result.again", args=[b"won"], queue="kept", serializer=SERIALIZER)
    with start_worker(app, pool="solo", queues=["kept"], perform_ping_check=False, loglevel="CRITICAL"):
        wait_until(lambda: len(heard) == 2, lambda: heard)
    assert heard == [b"won", b"won"]
