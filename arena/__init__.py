"""The Django project: settings, urls, the web and Celery applications, the front page."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.embedded")
