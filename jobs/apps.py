"""Django's name for the app."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Workers, leases, and the files that workers read and store."""

    name = "jobs"
    verbose_name = "Jobs"
