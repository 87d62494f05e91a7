"""Celery tasks of the fleet: each calls a service."""

from __future__ import annotations

from fleet.services.tallies import tallies_count
from jobs.celery_app import app


@app.task(name="fleet.count")
def tallies_count_task() -> None:
    """Count what has ended since the last time, for the metrics."""
    tallies_count()
