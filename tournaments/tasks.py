"""Celery tasks of tournaments: each calls one service."""

from __future__ import annotations

from jobs.celery_app import task_register
from tournaments.services.stepping import tournaments_tick

task_register("tournaments.step", tournaments_tick)
