"""Sends the heartbeats that renew a lease while a match or build is running."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from celery import Celery

from wire.jobs import FIRST_HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, WireMessage
from workers.sending import send_best_effort


@contextmanager
def sending_heartbeats(
    app: Celery, task: str, message: Callable[[], WireMessage], *, first_seconds: float = FIRST_HEARTBEAT_SECONDS
) -> Iterator[None]:
    """Send heartbeats from another thread while the block runs.

    The first is sent only after a while, so that a shorter job sends only its result.

    Args:
        app: the worker's Celery application.
        task: the heartbeats' task.
        message: makes the next heartbeat.
        first_seconds: when the first is sent.
    """
    ended = threading.Event()

    def beat() -> None:
        pause_seconds = first_seconds
        while not ended.wait(pause_seconds):
            send_best_effort(app, task, message())
            pause_seconds = HEARTBEAT_SECONDS

    # A new thread begins with an empty context; the copy has the match and attempt that log lines show.
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(beat,), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
