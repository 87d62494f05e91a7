"""Celery tasks of the workshop: each calls one service."""

from __future__ import annotations

from jobs.celery_app import task_register
from jobs.report_auth import heartbeat_task, report_task
from wire.jobs import TRY_PROGRESS_TASK, TRY_RESULT_TASK, TryProgress, TryReport
from workshop.services.keeping import tries_forget
from workshop.services.tries import TRIES


@heartbeat_task(TRY_PROGRESS_TASK, TryProgress)
def try_progress_task(report: TryProgress) -> None:
    """Record the step that a try has reached."""
    TRIES.heartbeat(report=report)


@report_task(TRY_RESULT_TASK, TryReport)
def try_result_task(report: TryReport) -> None:
    """Record the result of a try."""
    TRIES.record(report=report)


task_register("workshop.sweep", TRIES.sweep)
task_register("workshop.forget", tries_forget)
