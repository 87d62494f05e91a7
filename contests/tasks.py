"""Celery tasks of contests: each calls one service."""

from __future__ import annotations

from contests.services.clock import contests_tick
from jobs.celery_app import task_register

task_register("contests.tick", contests_tick)
