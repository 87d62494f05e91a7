"""Celery tasks of downloads."""

from __future__ import annotations

from downloads.services.days import days_make_in_turn
from jobs.background import background_run
from jobs.celery_app import app


@app.task(name="downloads.make")
def days_make_task() -> None:
    """Make the files of days that are over."""
    background_run("downloads", days_make_in_turn)
