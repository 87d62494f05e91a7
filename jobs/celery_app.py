"""The site's Celery application: apps of the site register their tasks with it, and send jobs to workers by it.

``arena.celery`` gives it a timetable and runs it.
"""

from __future__ import annotations

import os

from django.conf import settings

from wire.transport import application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.embedded")

MANAGE_QUEUE = "manage"
ROOM_TASK = "matches.sweep_streams"
"""Makes room in the broker; the timetable runs it itself when the broker takes no message."""

# Without a broker (a management command, a test) nothing is sent; the sweeper of a running arena sends it later.
app = application("ladder", settings.REDIS_URL or "memory://")
app.conf.task_default_queue = MANAGE_QUEUE
