"""Celery tasks of builds, workers and sessions: each hands its message to a service."""

from __future__ import annotations

from typing import Any

from django.db import InternalError, OperationalError
from redis import exceptions

from accounts.services import sessions
from common.errors import StoreAway
from jobs.celery_app import app
from jobs.coordination import manager_fault_set
from jobs.report_auth import report_task
from jobs.services import workers
from ladder.services import builds, languages, notices
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
    # The second is a database that may be read only for now, as one whose disk is full or whose place another takes;
    # the next two come from the store of bots and replays, the last two from a broker that is asked who has signed.
    "autoretry_for": (
        OperationalError,
        InternalError,
        OSError,
        StoreAway,
        exceptions.ConnectionError,
        exceptions.TimeoutError,
    ),
    "retry_backoff": True,
    # Once the database is back, whoever works has one lease to be heard: a report that waits for longer comes too late.
    "retry_backoff_max": 4,
    "retry_jitter": False,
}
PATIENTLY = _AGAIN | {"max_retries": 17}
"""A database that restarts or is locked, or a bucket that is away, must not lose what is said once: a minute of
patience."""
BRIEFLY = _AGAIN | {"max_retries": 2}
"""For signs of life: the next one comes in a few seconds, and none must pile up."""


@report_task(BUILD_PROGRESS_TASK, BuildProgress, **BRIEFLY)
def build_progress_task(report: BuildProgress) -> None:
    """Note how far a build is."""
    builds.build_progress(report=report)


@report_task(BUILD_RESULT_TASK, BuildReport, **PATIENTLY)
def build_result_task(report: BuildReport) -> None:
    """Take the ending of a build."""
    builds.build_record_result(report=report)


@report_task(LANGUAGES_TASK, LanguagesReport, **PATIENTLY)
def languages_announced_task(report: LanguagesReport) -> None:
    """Take a worker's announcement of its languages."""
    languages.languages_announce(report=report)


@report_task(WORKER_BEAT_TASK, WorkerBeat, **BRIEFLY)
def worker_beat_task(beat: WorkerBeat) -> None:
    """Note how a worker is."""
    workers.worker_beat(beat=beat)


@app.task(name="ladder.sweep_workers")
def workers_sweep_task() -> None:
    """Note which workers give no sign of life any more."""
    workers.workers_sweep()


@app.task(name="ladder.sweep_builds")
def builds_sweep_task() -> None:
    """Put right what builders or the broker have lost."""
    builds.builds_sweep()


@app.task(name="ladder.forget_sessions")
def sessions_forget_task() -> None:
    """Delete the sessions that are over."""
    sessions.sessions_forget()


@app.task(name="ladder.check_clock")
def clock_check_task() -> None:
    """Tell those who watch over the site when this manager's clock is wrong: whatever it sends has expired then."""
    if fault := clock_fault(app.conf.broker_url):
        manager_fault_set(app, fault)


@app.task(name="ladder.send_notices")
def notices_send_task() -> None:
    """Send notifications by mail."""
    notices.notices_send()
