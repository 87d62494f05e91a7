"""Sends messages of a worker that may get lost: heartbeats, beats, progress of builds, reports of lost jobs."""

from __future__ import annotations

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from wire.jobs import WireMessage
from wire.transport import send
from workers.fork_lock import fork_lock

log = structlog.get_logger()


def send_best_effort(app: Celery, task: str, message: WireMessage) -> None:
    """Send a message that may get lost; if the broker cannot be reached, only log that."""
    with fork_lock:
        try:
            send(app, task, message, give_up_soon=True)
        except OperationalError as error:
            log.warning("report_not_sent", task=task, error=str(error))
