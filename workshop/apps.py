"""The Django app config of the workshop."""

from django.apps import AppConfig


class WorkshopConfig(AppConfig):
    """Drafts and tries of programs."""

    name = "workshop"
    verbose_name = "Workshop"

    def ready(self) -> None:
        """Register tries with the queue of jobs, and sections of the export of a person's data."""
        import workshop.exports  # noqa: F401 - the import registers them
        from jobs.services.dispatching import work_register
        from workshop.services.try_queue import TRIES

        work_register(TRIES)
