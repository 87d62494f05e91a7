"""The Django project: settings, URLs, the ASGI and Celery applications, the base templates, the front page."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.embedded")
