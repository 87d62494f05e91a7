"""The Celery application of managers: its database connection, its log, and its retries."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
import structlog
from celery.app import autoretry
from celery.fixups.django import DjangoWorkerFixup
from django.db import InterfaceError, InternalError, OperationalError, connection
from redis import exceptions

from arena import outages
from arena.celery import close_old_connections, log_outages_once, use_one_connection
from common.errors import StoreAway
from jobs import background
from jobs.celery_app import app
from ladder.services.builds import BUILDS
from matches.services.match_jobs import MATCHES
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


@pytest.fixture
def logged() -> Iterator[list[logging.LogRecord]]:
    """What a manager logs."""
    records: list[logging.LogRecord] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    app.loader.import_default_modules()  # sets up Django, and so its logging
    handler, root = Handler(), logging.getLogger()
    root.addHandler(handler)
    handlers = {each: list(each.filters) for each in root.handlers}
    log_outages_once()
    yield records
    for each, filters in handlers.items():
        each.filters = filters
    root.removeHandler(handler)


DEADLOCK = OperationalError("deadlock detected")
DEADLOCK.__cause__ = psycopg.errors.DeadlockDetected()
CLOSING = AttributeError("while it was closed")
CLOSING.__context__ = InterfaceError("the connection is closed")


@pytest.mark.parametrize(
    ("fault", "times", "said"),
    [
        (OperationalError("connection failed: refused\n\tIs the server running?"), 1, "database_away: The database is"),
        (CLOSING, 1, "InterfaceError: the connection is closed"),
        (exceptions.OutOfMemoryError("command not allowed"), 1, "broker_away: The broker is away: OutOfMemory"),
        (DEADLOCK, 3, "deadlock detected"),
        (ValueError("a mistake"), 3, "a mistake"),
    ],
)
def test_an_outage_is_logged_once_for_all_tasks(
    fault: Exception, times: int, said: str, monkeypatch: pytest.MonkeyPatch, logged: list[logging.LogRecord]
) -> None:
    """An error of ours is logged with each task and its traceback."""

    def away() -> None:
        raise fault

    monkeypatch.setattr(app.tasks["matches.dispatch"], "run", away)
    for _ in range(2):
        app.tasks["matches.dispatch"].apply()
    background.background_run("away", away)
    background._running["away"].join()
    assert len(logged) == times
    assert said in logged[0].getMessage()
    assert "\n" not in logged[0].getMessage()
    assert bool(logged[0].exc_info) is (times > 1)


def test_the_next_outage_is_logged_again(logged: list[logging.LogRecord], monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(outages, "time", SimpleNamespace(monotonic=lambda: now))
    for now in (0.0, 50.0, 100.0, 161.0):  # noqa: B007 - read by the clock
        logging.getLogger().error("failed", exc_info=OperationalError("refused"))
        structlog.get_logger("tests").error("failed", exc_info=OperationalError("refused"))
    assert len(logged) == 2


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
    monkeypatch.setattr(MATCHES, "record", away)
    monkeypatch.setattr(BUILDS, "record", away)
    app.loader.import_default_modules()
    ended = app.tasks[task].apply(args=[json.dumps({"lease_token": "0" * 32, "worker": "w"} | REPORTS[task]).encode()])
    assert ended.result is fault
    assert sum(waits) >= 60
    assert max(waits) < LEASE_SECONDS
