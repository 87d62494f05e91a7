"""The Django project: settings, urls, the web and Celery applications, the front page."""
