"""Celery tasks of exhibitions: each calls services."""

from __future__ import annotations

from exhibitions.services.dispatching import TABLES, tables_dispatch
from exhibitions.services.idling import idle_tables_end
from exhibitions.services.keeping import exhibitions_forget
from exhibitions.services.opening import visitors_forget
from jobs.celery_app import app, task_register


@app.task(name="exhibitions.dispatch")
def tables_dispatch_task() -> None:
    """Hand out waiting exhibitions to free tables, and end those at which nobody answers while others wait."""
    tables_dispatch()
    idle_tables_end()


@app.task(name="exhibitions.sweep")
def tables_sweep_task() -> None:
    """End the exhibitions of lost workers, send lost messages again, and forget guests whose tables have ended."""
    visitors_forget()
    TABLES.sweep()


task_register("exhibitions.forget", exhibitions_forget)
