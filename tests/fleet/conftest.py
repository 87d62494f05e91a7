"""A broker of their own for tests that change its users or restart it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from deploy.broker import Broker, broker_running


@pytest.fixture
def own_broker(tmp_path: Path, settings: Settings) -> Iterator[Broker]:
    with broker_running(tmp_path / "broker", site_password="site", player_password="player") as running:
        settings.REDIS_URL = running.site_url
        yield running
