"""Celery tasks of contests: each calls one service."""

from __future__ import annotations

from contests.services.clock import contests_tick
from jobs.celery_app import app


@app.task(name="contests.tick")
def contests_tick_task() -> None:
    """Open and freeze the contests whose moments have come."""
    contests_tick()
