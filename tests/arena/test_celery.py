"""The Celery application of managers: its database connection, its log, and its retries."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from celery.app import autoretry
from celery.fixups.django import DjangoWorkerFixup
from django.db import InternalError, OperationalError, connection
from redis import exceptions

from arena.celery import close_old_connections, log_outages_in_one_line, use_one_connection
from common.errors import StoreAway
from jobs.celery_app import app
from ladder.services import builds
from matches.services import lifecycle
from wire.jobs import BUILD_RESULT_TASK, LEASE_SECONDS, MATCH_RESULT_TASK

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def test_the_database_stays_open_between_messages() -> None:
    connection.ensure_connection()
    connection.close_at = None  # as CONN_MAX_AGE of an arena
    before = connection.connection
    fixup = DjangoWorkerFixup(app)
    for _ in range(10):
        fixup.close_database()
        close_old_connections()
    assert connection.connection is before


def test_a_manager_has_one_connection_and_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"connect_timeout": 5, "pool": {"min_size": 1}}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    use_one_connection()
    assert options == {"connect_timeout": 5}
    assert connection.settings_dict["CONN_MAX_AGE"] > 0
    assert not connection.settings_dict["CONN_HEALTH_CHECKS"]


def test_a_connection_that_is_too_old_is_closed_between_messages() -> None:
    connection.ensure_connection()
    connection.close_at = 0.0
    close_old_connections()
    assert connection.connection is None


@pytest.mark.parametrize(
    ("fault", "tracebacks"),
    [
        (OperationalError("Connection refused"), 0),
        (exceptions.OutOfMemoryError("command not allowed"), 0),
        (ValueError("a mistake"), 1),
    ],
)
def test_an_outage_is_logged_in_one_line_for_each_task(
    fault: Exception, tracebacks: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The line names the task and the error; an error of ours is logged with its traceback."""

    def away() -> None:
        raise fault

    app.loader.import_default_modules()
    monkeypatch.setattr("matches.tasks.queue_dispatch", away)
    trace = logging.getLogger("celery.app.trace")
    monkeypatch.setattr(trace, "filters", [])
    monkeypatch.setattr(trace, "handlers", [caplog.handler])
    log_outages_in_one_line()
    app.tasks["matches.dispatch"].apply()
    (line,) = caplog.records
    assert "matches.dispatch" in line.getMessage()
    assert type(fault).__name__ in line.getMessage()
    assert bool(line.exc_info) is bool(tracebacks)


REPORTS = {
    MATCH_RESULT_TASK: {"match_id": 7, "attempt": 1, "turns": 0, "seats": [], "replay_digest": None},
    BUILD_RESULT_TASK: {"version_id": 7},
}


@pytest.mark.parametrize(
    "fault",
    [
        OperationalError("the database system is starting up"),
        InternalError("cannot execute UPDATE in a read-only transaction"),
        OSError("no bucket"),
        StoreAway("Please try again."),
        exceptions.ConnectionError("no broker to ask who has signed"),
        exceptions.TimeoutError("nor does it answer"),
    ],
)
@pytest.mark.parametrize("task", REPORTS)
def test_a_report_is_retried_while_a_service_is_away(
    task: str, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a minute in all; no single wait is so long that a lease could run out after the service has returned."""
    waits: list[float] = []
    wait = autoretry.get_exponential_backoff_interval

    def wait_and_note(**backoff: Any) -> float:
        waits.append(wait(**backoff))
        return waits[-1]

    def away(**_: object) -> None:
        raise fault

    monkeypatch.setattr(autoretry, "get_exponential_backoff_interval", wait_and_note)
    monkeypatch.setattr(lifecycle, "match_record_result", away)
    monkeypatch.setattr(builds, "build_record_result", away)
    app.loader.import_default_modules()
    ended = app.tasks[task].apply(args=[json.dumps({"lease_token": "0" * 32, "worker": "w"} | REPORTS[task]).encode()])
    assert ended.result is fault
    assert sum(waits) >= 60
    assert max(waits) < LEASE_SECONDS
