"""Celery tasks of the site for builds, workers, sessions and mails: each calls one service."""

from __future__ import annotations

from accounts.services import accounts, notifications
from jobs.celery_app import app, task_register
from jobs.coordination import manager_fault_set
from jobs.report_auth import heartbeat_task, report_task
from jobs.services import heartbeats, workers
from ladder.services import daily_ratings, events, examining, housebots, languages
from ladder.services.builds import BUILDS
from wire.clock import clock_fault
from wire.jobs import (
    BUILD_PROGRESS_TASK,
    BUILD_RESULT_TASK,
    LANGUAGES_TASK,
    WORKER_BEAT_TASK,
    BuildProgress,
    BuildReport,
)
from wire.worker_reports import LanguagesReport, WorkerBeat

EXAMINE_SECONDS = 1.0
"""How long a manager examines uploads before it handles other messages."""


@heartbeat_task(BUILD_PROGRESS_TASK, BuildProgress)
def build_progress_task(report: BuildProgress) -> None:
    """Record the step that a build has reached."""
    BUILDS.heartbeat(report=report)


@report_task(BUILD_RESULT_TASK, BuildReport)
def build_result_task(report: BuildReport) -> None:
    """Record the result of a build."""
    BUILDS.record(report=report)


@report_task(LANGUAGES_TASK, LanguagesReport)
def languages_announced_task(report: LanguagesReport) -> None:
    """Record the languages that a worker announces at its start."""
    languages.languages_announce(report=report)


@heartbeat_task(WORKER_BEAT_TASK, WorkerBeat)
def worker_beat_task(beat: WorkerBeat) -> None:
    """Record the heartbeat of a worker."""
    workers.worker_beat(beat=beat)


@app.task(name="ladder.check_clock")
def clock_check_task() -> None:
    """Report a wrong clock of this machine to monitoring: messages that it sends would already be expired."""
    if fault := clock_fault(app.conf.broker_url):
        manager_fault_set(app, fault)


task_register("ladder.handle_heartbeats", heartbeats.heartbeats_handle)
task_register("ladder.examine_uploads", lambda: examining.uploads_examine(for_seconds=EXAMINE_SECONDS))
task_register("ladder.sweep_workers", workers.workers_sweep)
task_register("ladder.sweep_builds", BUILDS.sweep)
task_register("ladder.load_housebots", housebots.housebots_load_new)
task_register("ladder.store_daily_ratings", daily_ratings.daily_ratings_store)
task_register("ladder.forget_sessions", accounts.sessions_forget)
task_register("ladder.notify_followers", events.followers_notify)
task_register("ladder.forget_events", events.events_forget)
task_register("ladder.send_notices", notifications.notification_mails_send)
