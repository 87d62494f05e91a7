"""The Django app configuration of the fleet."""

from django.apps import AppConfig


class FleetConfig(AppConfig):
    """The app for administrators: pages of workers, hosts and queue, metrics, and the joining of hosts."""

    name = "fleet"
    verbose_name = "Fleet"
