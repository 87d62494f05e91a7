"""The Celery application of managers, which handle workers' reports, pair, sweep and rate. They never run a bot.

Start a manager with ``celery -A arena.celery worker -Q report,manage -P solo``, and the timetable with
``celery -A arena.celery beat``. A manager is one process (``-P solo``): start the command again for another one, so
that no process with open connections is forked. Of several timetables, one sends (``arena.timetable``).
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog
from celery import signals
from celery.exceptions import Retry
from django import db
from redis import exceptions

from arena.outages import OutageFilter
from arena.timetable import FREE_MEMORY_TASK
from jobs.celery_app import MANAGE_QUEUE, app
from jobs.coordination import manager_fault_set
from jobs.managers import SignsOfLife
from wire.health import health_touch
from wire.jobs import REPORT_QUEUE
from wire.message_filter import SERIALIZER

log = structlog.get_logger(__name__)

app.autodiscover_tasks()
# Celery would close the database connection before and after every message, which costs as much as to handle one.
app.conf.CELERY_DB_REUSE_MAX = sys.maxsize
SIGNS = SignsOfLife()
CONNECTION_SECONDS = 3600
"""How long a manager keeps a connection to PostgreSQL, whose process would otherwise hold more and more memory."""


DATABASE_FAULTS = {
    "53": "the database's disk is full: free space on it, for tables and for the write-ahead log (pg_wal)",
    "57P02": "the database ends and starts again: its log says why; free disk space for pg_wal, too",
    "25006": "the database may only be read: let it be written, or name in DATABASE_URL the server that is",
}
"""Sentences that say what to do, by the first characters of PostgreSQL's error code
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""


@signals.setup_logging.connect
def use_django_logging(**_: Any) -> None:
    """Do nothing: with a receiver of this signal Celery leaves logging as Django has configured it by ``LOGGING``."""


@signals.worker_init.connect
def log_outages_once(**_: Any) -> None:
    """Log in one line that the database or the broker is away, not with each task that fails by it."""
    once = OutageFilter()
    for handler in logging.getLogger().handlers:
        handler.addFilter(once)


@signals.worker_init.connect
def log_other_code(**_: Any) -> None:
    """Log an error if other code has migrated the database. The manager goes on: an upgrade may be under way."""
    from arena.releases import difference_from_database  # the apps are not loaded before

    try:
        if found := difference_from_database():
            log.error(found.differs.value, sentence=found.sentence)
    except db.OperationalError as error:
        log.warning("database_away", error=str(error))


@signals.worker_init.connect
def use_one_connection(**_: Any) -> None:
    """Replace the connection pool by one connection: a manager has one thread, and a pool would test its connection.

    That test costs a query for every message. If the connection breaks, the next message fails and is handled again, as
    after a restart of the database.
    """
    database = db.connection.settings_dict
    if database["OPTIONS"].pop("pool", None):
        database |= {"CONN_MAX_AGE": CONNECTION_SECONDS, "CONN_HEALTH_CHECKS": False}


@signals.worker_init.connect
def close_old_connections_between_tasks(**_: Any) -> None:
    """Have managers close database connections between tasks as Django does between requests."""
    signals.task_prerun.connect(close_old_connections)
    signals.task_postrun.connect(close_old_connections)


def close_old_connections(**_: Any) -> None:
    """Close database connections that are broken, or older than ``CONN_MAX_AGE``."""
    db.close_old_connections()


@signals.task_postrun.connect
def record_activity(**_: Any) -> None:
    """Record for ``wire.health`` that this process handled a message; the timetable sends one every few seconds."""
    health_touch()


@signals.worker_ready.connect
def count_this_manager(**_: Any) -> None:
    """Have this manager give signs of life, by which managers are counted, from now on after each message."""
    signals.task_postrun.connect(give_sign_of_life)


def give_sign_of_life(**_: Any) -> None:
    """Note in the broker that this manager is at work."""
    try:
        SIGNS.give(app.conf.broker_url)
    except exceptions.RedisError as error:
        log.warning("sign_not_given", error=str(error))


@signals.task_failure.connect
def record_database_fault(exception: BaseException, **_: Any) -> None:
    """Store for the health page that the database accepts no writes, which a health check that reads cannot see."""
    state = getattr(exception.__cause__, "sqlstate", None) or ""
    if sentence := next((words for prefix, words in DATABASE_FAULTS.items() if state.startswith(prefix)), ""):
        try:
            manager_fault_set(app, f"{sentence} ({type(exception.__cause__).__name__}).")
        except exceptions.RedisError as error:
            log.warning("fault_not_noted", error=str(error))


@signals.task_retry.connect
def record_database_fault_of_retry(reason: Retry, **_: Any) -> None:
    """Store a fault of the database for a task that will be tried again, too."""
    if reason.exc:
        record_database_fault(reason.exc)


@signals.beat_init.connect
def record_activity_of_timetable(**_: Any) -> None:
    """Have the timetable's process (Celery's beat) call ``record_activity`` behind each message that it sends."""
    signals.after_task_publish.connect(record_activity)


def _every(seconds: float, task: str, queue: str = MANAGE_QUEUE) -> dict[str, object]:
    """Return one entry of the timetable, which sends a task every ``seconds`` seconds.

    A message expires when the next one is sent, so that messages do not pile up behind a busy manager; see
    ``arena.timetable.TimetableRequest`` for clocks that differ.
    """
    return {
        "task": task,
        "schedule": seconds,
        "options": {"queue": queue, "serializer": SERIALIZER, "expires": seconds},
    }


app.conf.beat_scheduler = "arena.timetable:Timetable"
app.Task.Request = "arena.timetable:TimetableRequest"
app.conf.beat_schedule = {
    "contests": _every(2, "contests.tick"),
    "tournaments": _every(1, "tournaments.step"),
    "examine-uploads": _every(1, "ladder.examine_uploads"),
    "pair": _every(2, "matches.pair"),
    # Jobs are handed out at once whenever one ends or begins to wait; this entry is for when that failed.
    "dispatch": _every(2, "matches.dispatch"),
    "tables": _every(2, "exhibitions.dispatch"),
    "heartbeats": _every(1, "ladder.handle_heartbeats"),
    "refit": _every(5, "matches.refit"),
    "sign-boards": _every(5, "matches.sign_boards"),
    "thin-replays": _every(30, "matches.thin_replays"),
    "trials": _every(3, "matches.trials"),
    # In the queue of reports, so that all earlier reports are handled before a worker is found silent.
    "sweep": _every(2, "matches.sweep", REPORT_QUEUE),
    "sweep-tables": _every(2, "exhibitions.sweep", REPORT_QUEUE),
    "forget-tables": _every(600, "exhibitions.forget"),
    "sweep-tries": _every(2, "workshop.sweep", REPORT_QUEUE),
    "forget-tries": _every(120, "workshop.forget"),
    "day-files": _every(300, "downloads.make"),
    "sweep-streams": _every(30, FREE_MEMORY_TASK),
    "count": _every(5, "fleet.count"),
    "check-clock": _every(5, "ladder.check_clock"),
    "sweep-builds": _every(2, "ladder.sweep_builds", REPORT_QUEUE),
    "load-housebots": _every(5, "ladder.load_housebots"),
    "sweep-workers": _every(5, "ladder.sweep_workers", REPORT_QUEUE),
    "send-notices": _every(10, "ladder.send_notices"),
    "send-hooks": _every(2, "webhooks.send"),
    "forget-deliveries": _every(3600, "webhooks.forget"),
    "note-close": _every(30, "matches.note_close"),
    "notify-followers": _every(10, "ladder.notify_followers"),
    "forget-events": _every(3600, "ladder.forget_events"),
    "store-daily-ratings": _every(600, "ladder.store_daily_ratings"),
    "forget-sessions": _every(3600, "ladder.forget_sessions"),
}
