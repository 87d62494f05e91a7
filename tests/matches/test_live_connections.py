"""Listeners of live matches hold no connections to PostgreSQL, of which there are few."""

from __future__ import annotations

import pytest
import requests
from django.db import connection
from pytest_django import Settings

from matches import live
from tests.matches.makers import make_running
from tests.waiting import wait_until


@pytest.mark.django_db(transaction=True)
def test_a_quiet_stream_keeps_no_connection(
    broker_url: str, settings: Settings, site_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else ten listeners would hold all connections of a web process, and its pages would fail."""
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    settings.REDIS_URL = broker_url
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.5)
    before = _connections()
    with requests.get(f"{site_url}/matches/{make_running().pk}/live", stream=True, timeout=10) as stream:
        lines = stream.iter_lines(chunk_size=1)  # kept: it ends the stream when it goes
        assert b"event: still" in lines  # the database has been asked
        wait_until(lambda: _connections() <= before, _connections, seconds=10)


def _connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])
