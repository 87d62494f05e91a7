"""The site's own Celery application in tests: on a broker of the test, with a managing worker in a thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from celery.contrib.testing.worker import start_worker

from jobs.celery_app import MANAGE_QUEUE, app
from wire.jobs import REPORT_QUEUE

POLL_SECONDS = 0.1
"""How long it waits for a message at a time: so long it takes to end, and by itself a second."""


@contextmanager
def managing_worker(broker_url: str, *queues: str, emptied: bool = True) -> Iterator[None]:
    """Work on an emptied broker as long as the block lasts, on the queues named besides those of an arena."""
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
    """Let the site ring at this broker as long as the block lasts."""
    before = app.conf.broker_url
    _set_broker(broker_url)
    try:
        yield
    finally:
        _set_broker(before)


def _set_broker(url: str) -> None:
    """Celery keeps the connections of the first broker that it has sent to, whatever its settings say later."""
    app.conf.broker_url = url
    app._after_fork()
