"""Celery tasks of builds and workers: each hands its message to a service."""

from __future__ import annotations

from typing import Any

from django.db import OperationalError

from ladder.celery import app
from ladder.services import builds, languages, workers
from workers.jobs import (
    BUILD_PROGRESS_TASK,
    BUILD_RESULT_TASK,
    LANGUAGES_TASK,
    WORKER_BEAT_TASK,
    BuildProgress,
    BuildReport,
    LanguagesReport,
    WorkerBeat,
)
from workers.transport import receives

AGAIN: dict[str, Any] = {"autoretry_for": (OperationalError,), "retry_backoff": True, "max_retries": 6}
"""A database that restarts or is locked must not lose a report: a minute of patience."""


@receives(app, BUILD_PROGRESS_TASK, BuildProgress, **AGAIN)
def build_progress_task(report: BuildProgress) -> None:
    """Note how far a build is."""
    builds.build_progress(report=report)


@receives(app, BUILD_RESULT_TASK, BuildReport, **AGAIN)
def build_result_task(report: BuildReport) -> None:
    """Take the ending of a build."""
    builds.build_record_result(report=report)


@receives(app, LANGUAGES_TASK, LanguagesReport, **AGAIN)
def languages_announced_task(report: LanguagesReport) -> None:
    """Take a worker's announcement of its languages."""
    languages.languages_announce(report=report)


@receives(app, WORKER_BEAT_TASK, WorkerBeat, **AGAIN)
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
