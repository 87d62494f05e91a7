"""Celery tasks of the fleet: each calls a service."""

from __future__ import annotations

from fleet.services.tallies import tallies_count
from jobs.celery_app import task_register

task_register("fleet.count", tallies_count)
