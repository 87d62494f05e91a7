"""A site with a managing worker, on a broker that may be killed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from celery.contrib.testing.worker import start_worker
from pytest_django import Settings

from ladder import celery as managing
from tests.chaos.parts import HEARD_QUEUE, MortalBroker, mortal_broker


@pytest.fixture(scope="module")
def own_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MortalBroker]:
    """A broker that nobody else's tests use."""
    with mortal_broker(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


@pytest.fixture
def site(
    site_url: str, own_broker: MortalBroker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MortalBroker]:
    """A site that answers, and its managing worker, in threads of the test; yields their broker, empty."""
    settings.GAMES = []  # nobody pairs: the tests say who plays
    monkeypatch.setattr(managing.app.conf, "broker_url", own_broker.site_url)
    with redis.Redis.from_url(own_broker.site_url) as client:
        client.flushall()
    queues = ["report", HEARD_QUEUE, managing.MANAGE_QUEUE]
    with start_worker(managing.app, pool="solo", perform_ping_check=False, queues=queues):
        yield own_broker
