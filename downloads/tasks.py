"""Celery tasks of downloads."""

from __future__ import annotations

from downloads.services.days import days_make_in_turn
from jobs.background import background_run
from jobs.celery_app import task_register

task_register("downloads.make", lambda: background_run("downloads", days_make_in_turn))
