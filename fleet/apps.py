"""Django's name for the app."""

from django.apps import AppConfig


class FleetConfig(AppConfig):
    """What administrators run an arena with: pages of workers and queue, metrics, hosts that join."""

    name = "fleet"
    verbose_name = "Fleet"
