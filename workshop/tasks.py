"""Celery tasks of the workshop: each calls one service."""

from __future__ import annotations

from jobs.celery_app import app
from jobs.report_auth import heartbeat_task, report_task
from ladder.tasks import BRIEFLY, PATIENTLY
from wire.jobs import TRY_PROGRESS_TASK, TRY_RESULT_TASK, TryProgress, TryReport
from workshop.services.keeping import tries_forget
from workshop.services.tries import TRIES


@heartbeat_task(TRY_PROGRESS_TASK, TryProgress, **BRIEFLY)
def try_progress_task(report: TryProgress) -> None:
    """Record the step that a try has reached."""
    TRIES.heartbeat(report=report)


@report_task(TRY_RESULT_TASK, TryReport, **PATIENTLY)
def try_result_task(report: TryReport) -> None:
    """Record the result of a try."""
    TRIES.record(report=report)


@app.task(name="workshop.sweep")
def tries_sweep_task() -> None:
    """Requeue tries whose worker is gone, and send lost messages again."""
    TRIES.sweep()


@app.task(name="workshop.forget")
def tries_forget_task() -> None:
    """Delete tries that are older than some days."""
    tries_forget()
