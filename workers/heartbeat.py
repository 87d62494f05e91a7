"""The signs of life that keep a lease while a match or build is under way."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from wire.jobs import FIRST_HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, Message
from wire.transport import send
from workers.fork_lock import forks_wait

log = structlog.get_logger()


def send_lightly(app: Celery, task: str, message: Message) -> None:
    """Send a message that the work does not depend on: without a broker it is logged and missing, no more."""
    with forks_wait:
        try:
            send(app, task, message, lightly=True)
        except OperationalError as error:
            log.warning("report_not_sent", task=task, error=str(error))


@contextmanager
def beating(app: Celery, task: str, message: Callable[[], Message]) -> Iterator[None]:
    """Send what ``message`` makes every few seconds, from a thread of its own, while the block runs.

    The first is not sent at once: of what is done in less than a second, its result is the only message.
    """
    ended = threading.Event()

    def beat() -> None:
        pause_seconds = FIRST_HEARTBEAT_SECONDS
        while not ended.wait(pause_seconds):
            send_lightly(app, task, message())
            pause_seconds = HEARTBEAT_SECONDS

    # With what stands on every line of our log: a thread of its own begins without.
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(beat,), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
