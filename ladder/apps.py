"""Django's name for the app."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LadderConfig(AppConfig):
    """Accounts, bots, versions, ratings, the site's frame."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register the checks of the settings, and what a migrated database gets."""
        from ladder import checks  # noqa: F401 - importing registers them

        post_migrate.connect(_rows_ensure, sender=self)


def _rows_ensure(**_: Any) -> None:
    from ladder.services.games import game_settings_ensure

    game_settings_ensure()
