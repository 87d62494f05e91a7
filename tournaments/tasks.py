"""Celery tasks of tournaments: each calls one service."""

from __future__ import annotations

from jobs.celery_app import app
from tournaments.services.stepping import tournaments_tick


@app.task(name="tournaments.step")
def tournaments_step_task() -> None:
    """Start the tournaments whose moments have come, and play the running ones on."""
    tournaments_tick()
