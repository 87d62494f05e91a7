"""The Django app configuration of the fleet."""

from django.apps import AppConfig


class FleetConfig(AppConfig):
    """The app for administrators: pages of workers, hosts and queue, metrics, and the joining of hosts."""

    name = "fleet"
    verbose_name = "Fleet"

    def ready(self) -> None:
        """Lead from the pages of desks to those of administrators."""
        from common.parts import parts_register

        parts_register("fleet/parts.html")
