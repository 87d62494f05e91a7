"""Django's name for the app."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """The front page, the base templates of all pages, and the checks of the settings."""

    name = "arena"
    verbose_name = "Arena"

    def ready(self) -> None:
        """Register the checks of the settings."""
        from arena import checks  # noqa: F401 - importing registers them
