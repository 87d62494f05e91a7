"""Celery tasks of the fleet: each calls a service."""

from __future__ import annotations

from fleet.services.tallies import tallies_count
from jobs.celery_app import app


@app.task(name="fleet.count")
def tallies_count_task() -> None:
    """Add the matches and attempts that have ended since the last call to the metrics' counters."""
    tallies_count()
