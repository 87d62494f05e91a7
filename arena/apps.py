"""Django's name for the app."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """The front page, the base templates of all pages, and the checks of settings and database."""

    name = "arena"
    verbose_name = "Arena"

    def ready(self) -> None:
        """Register the checks of the settings and of the database's history."""
        from arena import checks, releases  # noqa: F401 - importing registers them
