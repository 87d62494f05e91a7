"""The Django app configuration of the fleet."""

from django.apps import AppConfig


class FleetConfig(AppConfig):
    """The app for administrators: pages of workers, hosts and queue, metrics, and the joining of hosts."""

    name = "fleet"
    verbose_name = "Fleet"

    def ready(self) -> None:
        """Register the links to administrators' pages that pages of other apps show (``fleet/parts.html``)."""
        from common.parts import parts_register

        parts_register("fleet/parts.html")
