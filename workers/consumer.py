"""A Celery consumer that waits before it reconnects to a broker that has refused a command."""

from __future__ import annotations

import time

import structlog
from celery.worker import state
from celery.worker.consumer import Consumer
from redis.exceptions import NoPermissionError, OutOfMemoryError

from core import __version__

WAIT_SECONDS = 10
TOO_OLD = (
    f"The broker refuses a command to this worker, which is of release {__version__}: it is older than the site, or its"
    " user lacks rights. Upgrade it to the release of the site; if it has that, type `manage.py hosts restore` there."
    f" It tries again every {WAIT_SECONDS} seconds."
)

log = structlog.get_logger()


class PatientConsumer(Consumer):
    """Celery's consumer, with a pause: by itself it would reconnect four times a second after a refused command."""

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Close the connection; if the broker has refused a command, which is logged, or is full, wait a while."""
        super().on_connection_error_after_connected(exc)
        if isinstance(exc, NoPermissionError):
            log.error("worker_too_old", sentence=TOO_OLD, error=str(exc))
        if isinstance(exc, (NoPermissionError, OutOfMemoryError)):
            ends = time.monotonic() + WAIT_SECONDS
            while time.monotonic() < ends and state.should_stop is None and state.should_terminate is None:
                time.sleep(0.5)
