"""The Django project: settings, URLs, the ASGI and Celery applications, the base templates, the front page."""

import os

# For programs that are started without the variable: `celery -A arena.celery` and `uvicorn arena.asgi:application`.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.embedded")
