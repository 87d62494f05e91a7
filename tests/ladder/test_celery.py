"""The managing Celery application beside its tasks."""

from __future__ import annotations

import pytest
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection

from ladder.celery import app, close_old_connections, keep_connection

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def test_the_database_stays_open_between_messages() -> None:
    connection.ensure_connection()
    connection.close_at = None  # CONN_MAX_AGE, as an arena has it
    before = connection.connection
    fixup = DjangoWorkerFixup(app)
    for _ in range(10):
        fixup.close_database()
        close_old_connections()
    assert connection.connection is before


def test_a_manager_keeps_one_connection_where_the_web_has_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"connect_timeout": 5, "pool": {"min_size": 1}}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    keep_connection()
    assert options == {"connect_timeout": 5}
    assert connection.settings_dict["CONN_MAX_AGE"] > 0
    assert not connection.settings_dict["CONN_HEALTH_CHECKS"]


def test_a_connection_that_is_too_old_is_closed_between_messages() -> None:
    connection.ensure_connection()
    connection.close_at = 0.0
    close_old_connections()
    assert connection.connection is None
