"""The Django app config of the workshop."""

from django.apps import AppConfig


class WorkshopConfig(AppConfig):
    """Drafts and tries of programs."""

    name = "workshop"
    verbose_name = "Workshop"

    def ready(self) -> None:
        """Register tries with the queue of jobs, and follow accounts that are closed."""
        from common.parts import parts_register
        from common.signals import account_closed
        from jobs.services.dispatching import kind_register
        from workshop.services.keeping import programs_delete
        from workshop.services.tries import TRIES

        kind_register(TRIES)
        parts_register("workshop/parts.html")
        account_closed.connect(programs_delete)
