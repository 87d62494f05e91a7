"""Celery tasks of the site for builds, workers, sessions and mails: each calls one service."""

from __future__ import annotations

from typing import Any

from django.db import InternalError, OperationalError
from redis import exceptions

from accounts.services import sessions
from accounts.services.notification_mails import notification_mails_send
from common.errors import StoreAway
from jobs.celery_app import app
from jobs.coordination import manager_fault_set
from jobs.report_auth import heartbeat_task, report_task
from jobs.services import heartbeats, workers
from ladder.services import builds, daily_ratings, events, examining, housebots, languages
from wire.clock import clock_fault
from wire.jobs import (
    BUILD_PROGRESS_TASK,
    BUILD_RESULT_TASK,
    LANGUAGES_TASK,
    WORKER_BEAT_TASK,
    BuildProgress,
    BuildReport,
    LanguagesReport,
    WorkerBeat,
)

_AGAIN: dict[str, Any] = {
    # PostgreSQL raises InternalError while it is read-only: its disk is full, or a standby takes over. OSError and
    # StoreAway come from the file store, the last two from Redis, which holds the keys that reports are signed with.
    "autoretry_for": (
        OperationalError,
        InternalError,
        OSError,
        StoreAway,
        exceptions.ConnectionError,
        exceptions.TimeoutError,
    ),
    "retry_backoff": True,
    # After a database outage each worker has a new lease; a report that arrives after its end is too late.
    "retry_backoff_max": 4,
    "retry_jitter": False,
}
PATIENTLY = _AGAIN | {"max_retries": 17}
"""Retries for about a minute, for reports that are sent once: a restart of the database or an unreachable file store
must not lose them."""
BRIEFLY = _AGAIN | {"max_retries": 2}
"""Retries twice, for heartbeats and progress: the next one comes in a few seconds, and they must not pile up."""

EXAMINE_SECONDS = 1.0
"""How long a manager examines uploads before it handles other messages."""


@heartbeat_task(BUILD_PROGRESS_TASK, BuildProgress, **BRIEFLY)
def build_progress_task(report: BuildProgress) -> None:
    """Record the step that a build has reached."""
    builds.build_progress(report=report)


@report_task(BUILD_RESULT_TASK, BuildReport, **PATIENTLY)
def build_result_task(report: BuildReport) -> None:
    """Record the result of a build."""
    builds.build_record_result(report=report)


@report_task(LANGUAGES_TASK, LanguagesReport, **PATIENTLY)
def languages_announced_task(report: LanguagesReport) -> None:
    """Record the languages that a worker announces at its start."""
    languages.languages_announce(report=report)


@heartbeat_task(WORKER_BEAT_TASK, WorkerBeat, **BRIEFLY)
def worker_beat_task(beat: WorkerBeat) -> None:
    """Record the heartbeat of a worker."""
    workers.worker_beat(beat=beat)


@app.task(name="ladder.handle_heartbeats")
def heartbeats_handle_task() -> None:
    """Handle the heartbeats of workers, matches, builds and tries."""
    heartbeats.heartbeats_handle()


@app.task(name="ladder.examine_uploads")
def uploads_examine_task() -> None:
    """Examine received uploads, for as long as the timetable waits until the next message."""
    examining.uploads_examine(for_seconds=EXAMINE_SECONDS)


@app.task(name="ladder.sweep_workers")
def workers_sweep_task() -> None:
    """Mark the workers whose heartbeats have stopped."""
    workers.workers_sweep()


@app.task(name="ladder.sweep_builds")
def builds_sweep_task() -> None:
    """Requeue builds whose worker is gone, and send lost messages again."""
    builds.builds_sweep()


@app.task(name="ladder.load_housebots")
def housebots_load_task() -> None:
    """Load the house bots of contests that were opened."""
    housebots.housebots_load_new()


@app.task(name="ladder.store_daily_ratings")
def daily_ratings_store_task() -> None:
    """Store one rating a day of each bot."""
    daily_ratings.daily_ratings_store()


@app.task(name="ladder.forget_sessions")
def sessions_forget_task() -> None:
    """Delete expired sessions."""
    sessions.sessions_forget()


@app.task(name="ladder.notify_followers")
def followers_notify_task() -> None:
    """Notify those who follow bots of what these did."""
    events.followers_notify()


@app.task(name="ladder.forget_events")
def events_forget_task() -> None:
    """Delete old events of bots."""
    events.events_forget()


@app.task(name="ladder.check_clock")
def clock_check_task() -> None:
    """Report a wrong clock of this machine to monitoring: messages that it sends would already be expired."""
    if fault := clock_fault(app.conf.broker_url):
        manager_fault_set(app, fault)


@app.task(name="ladder.send_notices")
def notification_mails_send_task() -> None:
    """Send notifications by mail."""
    notification_mails_send()
