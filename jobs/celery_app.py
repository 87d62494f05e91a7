"""The site's Celery application: apps register their tasks with it and send jobs to workers through it.

The project, in a layer above, adds the timetable, and managing processes run it from there.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from wire.transport import application, undeclared_queue

MANAGE_QUEUE = "manage"

# Without a broker (a management command, a test) no message is sent; the sweep of a running arena sends it later.
app = application("ladder", settings.REDIS_URL or "memory://")
app.conf.task_default_queue = MANAGE_QUEUE
app.conf.task_queues = [*app.conf.task_queues, undeclared_queue(MANAGE_QUEUE)]


def task_register(name: str, service: Callable[[], object]) -> None:
    """Make a service without arguments the task of this name, for the timetable; what it returns is dropped."""

    @app.task(name=name)
    def task() -> None:
        service()
