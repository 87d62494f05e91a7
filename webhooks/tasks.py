"""Celery tasks of webhooks."""

from __future__ import annotations

from jobs.background import background_run
from jobs.celery_app import app, task_register
from webhooks.selectors.hooks import delivery_is_due
from webhooks.services.deliveries import deliveries_forget, deliveries_send_in_turn


@app.task(name="webhooks.send")
def deliveries_send_task() -> None:
    """Send the messages that are due, in a thread: receivers may be slow.

    Most often there is none; a thread would have to connect to the database to see that.
    """
    if delivery_is_due():
        background_run("webhooks", deliveries_send_in_turn)


task_register("webhooks.forget", deliveries_forget)
