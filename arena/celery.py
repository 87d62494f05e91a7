"""The managing Celery application: takes workers' reports, pairs, sweeps, rates. It never runs a bot.

Run it with ``celery -A arena.celery worker -Q report,manage -P solo`` and once with ``celery -A arena.celery beat``.
One process that works itself: more of them are more such commands, and nothing is forked that has connections open.
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

from arena.timetable import FREE_MEMORY_TASK
from jobs.celery_app import MANAGE_QUEUE, app
from jobs.coordination import manager_fault_set
from wire.health import health_touch
from wire.jobs import REPORT_QUEUE
from wire.message_filter import LINES

log = structlog.get_logger(__name__)

app.autodiscover_tasks()
# Celery would close the database before and behind every message, which costs as much as to handle one.
app.conf.CELERY_DB_REUSE_MAX = sys.maxsize
CONNECTION_SECONDS = 3600
"""So long a manager keeps a connection to PostgreSQL: one that is never closed holds on to memory there."""


ABSENCES = (
    db.OperationalError,
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
)
"""What says by its name that the database or the broker is away, or takes nothing for now."""
DATABASE_FAULTS = {
    "53": "the database has no room: make room on its disk, for its tables and its log (pg_wal)",
    "57P02": "the database ends and starts again: its log says why; make room on its disk, for its log (pg_wal), too",
    "25006": "the database may only be read: let it be written, or name in DATABASE_URL the server that is",
}
"""What to do, by the beginning of PostgreSQL's code: https://www.postgresql.org/docs/current/errcodes-appendix.html."""


@signals.setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Keep Celery from setting up logging: Django has done it, from ``LOGGING``."""


@signals.worker_init.connect
def log_outages_in_one_line(**_: Any) -> None:
    """Have what fails because the database or the broker is away logged without its traceback.

    That says no more than its last line, and came four times a second: a gigabyte of log a day.
    """
    logging.getLogger("celery.app.trace").addFilter(without_traceback_of_absence)


def without_traceback_of_absence(record: logging.LogRecord) -> bool:
    """Take the traceback from a line that tells of an absence; keep every line."""
    error = record.exc_info and record.exc_info[1]
    if isinstance(error, ABSENCES):
        record.exc_info = record.exc_text = None
    return True


@signals.worker_init.connect
def log_older_code(**_: Any) -> None:
    """Say so if the database is of a newer release. It may be upgraded just now: so this manager goes on."""
    from arena.releases import code_is_older  # the applications are not ready before

    try:
        if sentence := code_is_older():
            log.error("code_is_older", sentence=sentence)
    except db.OperationalError as error:
        log.warning("database_away", error=str(error))


@signals.worker_init.connect
def use_one_connection(**_: Any) -> None:
    """Keep one connection, since a manager has one thread: a pool would try one anew for every message.

    One that breaks meanwhile fails the message that finds it so; that is handled again, as when the database restarts.
    """
    database = db.connection.settings_dict
    if database["OPTIONS"].pop("pool", None):
        database |= {"CONN_MAX_AGE": CONNECTION_SECONDS, "CONN_HEALTH_CHECKS": False}


@signals.worker_init.connect
def keep_database(**_: Any) -> None:
    """Close the database between messages when Django would between requests: it is broken, or older than wanted."""
    signals.task_prerun.connect(close_old_connections)
    signals.task_postrun.connect(close_old_connections)


def close_old_connections(**_: Any) -> None:
    """Close connections that are broken, or older than ``CONN_MAX_AGE``."""
    db.close_old_connections()


@signals.task_postrun.connect
def note_handled(**_: Any) -> None:
    """Note for ``wire.health`` that a message was handled; the timetable sends one every few seconds."""
    health_touch()


@signals.task_failure.connect
def note_failure(exception: BaseException, **_: Any) -> None:
    """Note for those who watch over the site that the database takes nothing: to read from it still works."""
    state = getattr(exception.__cause__, "sqlstate", None) or ""
    if sentence := next((words for prefix, words in DATABASE_FAULTS.items() if state.startswith(prefix)), ""):
        try:
            manager_fault_set(app, f"{sentence} ({type(exception.__cause__).__name__}).")
        except exceptions.RedisError as error:
            log.warning("fault_not_noted", error=str(error))


@signals.task_retry.connect
def note_retry(reason: Retry, **_: Any) -> None:
    """Note it of what will be tried again, too."""
    if reason.exc:
        note_failure(reason.exc)


@signals.beat_init.connect
def watch_clock(**_: Any) -> None:
    """In the clock's own process, note each message that it sends."""
    signals.after_task_publish.connect(note_handled)


def _every(seconds: float, task: str, queue: str = MANAGE_QUEUE) -> dict[str, object]:
    """Return one entry of the timetable. It expires with the next one, so that none pile up behind a busy worker.

    But see ``arena.timetable.TimetableRequest``.
    """
    return {"task": task, "schedule": seconds, "options": {"queue": queue, "serializer": LINES, "expires": seconds}}


app.conf.beat_scheduler = "arena.timetable:Timetable"
app.Task.Request = "arena.timetable:TimetableRequest"
app.conf.beat_schedule = {
    "pair": _every(2, "matches.pair"),
    # Work is handed out at once whenever something ends or begins to wait; this is for what went wrong then.
    "dispatch": _every(2, "matches.dispatch"),
    "refit": _every(5, "matches.refit"),
    "trials": _every(3, "matches.trials"),
    # Behind all reports that came before it: silence is believed only when everything said has been heard.
    "sweep": _every(2, "matches.sweep", REPORT_QUEUE),
    "sweep-streams": _every(30, FREE_MEMORY_TASK),
    "count": _every(5, "fleet.count"),
    "check-clock": _every(5, "ladder.check_clock"),
    "sweep-builds": _every(2, "ladder.sweep_builds", REPORT_QUEUE),
    "sweep-workers": _every(5, "ladder.sweep_workers", REPORT_QUEUE),
    "send-notices": _every(10, "ladder.send_notices"),
    "forget-sessions": _every(3600, "ladder.forget_sessions"),
}
