"""The site's own Celery application in tests, on the broker of a test, with a managing worker in a thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from celery.contrib.testing.worker import start_worker

import arena.celery  # noqa: F401 - connects the receivers of the manager's signals
from jobs.celery_app import MANAGE_QUEUE, app
from wire.jobs import REPORT_QUEUE

POLL_SECONDS = 0.1
"""How long the worker waits for a message at a time, and so takes to stop; the default is a second."""


@contextmanager
def managing_worker(broker_url: str, *queues: str, emptied: bool = True) -> Iterator[None]:
    """Run a managing worker on an emptied broker for the time of the block, for the usual queues and the named ones."""
    if emptied:
        with redis.Redis.from_url(broker_url) as client:
            client.flushall()
    with pytest.MonkeyPatch.context() as patch, site_sends_to(broker_url):
        patch.setitem(app.conf.broker_transport_options, "polling_interval", POLL_SECONDS)
        names = [REPORT_QUEUE, MANAGE_QUEUE, *queues]
        with start_worker(app, pool="solo", perform_ping_check=False, queues=names):
            yield


@contextmanager
def site_sends_to(broker_url: str) -> Iterator[None]:
    """Have the site send its messages to this broker for the time of the block."""
    before = app.conf.broker_url
    _set_broker(broker_url)
    try:
        yield
    finally:
        _set_broker(before)


def _set_broker(url: str) -> None:
    """Set the broker's URL and drop Celery's pooled connections, which would still lead to the former broker."""
    app.conf.broker_url = url
    app._after_fork()
