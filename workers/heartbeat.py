"""Sends the heartbeats that renew a lease while a match or build is running."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from celery import Celery

from wire.jobs import FIRST_HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, WireMessage
from workers.sending import heartbeat_send


@contextmanager
def sending_heartbeats(app: Celery, task: str, message: Callable[[], WireMessage]) -> Iterator[threading.Event]:
    """Send heartbeats in a thread while the block runs; yield an event that is set when the site ends the lease.

    The first heartbeat is sent after ``FIRST_HEARTBEAT_SECONDS``, so that a shorter job sends only its result. When the
    site has ended the lease, no more are sent.

    Args:
        app: the worker's Celery application.
        task: name of the task that the site runs with each heartbeat.
        message: returns the next heartbeat.
    """
    ended, is_over = threading.Event(), threading.Event()

    def beat() -> None:
        pause_seconds = FIRST_HEARTBEAT_SECONDS
        while not ended.wait(pause_seconds):
            if heartbeat_send(app, task, message()):
                is_over.set()
                return
            pause_seconds = HEARTBEAT_SECONDS

    # A new thread begins with an empty context; the copy has the match and attempt that log lines show.
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(beat,), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield is_over
    finally:
        ended.set()
        thread.join()
