"""Django's name for the app."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    """Accounts, bots, versions, ratings, the site's frame."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register the checks of the settings."""
        from ladder import checks  # noqa: F401 - importing registers them
