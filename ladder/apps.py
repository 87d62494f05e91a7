"""The configuration of the Django app."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LadderConfig(AppConfig):
    """Bots, versions, builds, ratings and boards."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register builds with the job queue, and make a ``GameSetting`` row for each game after migrations."""
        from jobs.services.dispatching import work_register
        from ladder.services.build_queue import BUILDS

        work_register(BUILDS)
        post_migrate.connect(_rows_ensure, sender=self)


def _rows_ensure(**_: Any) -> None:
    from ladder.services.games import game_settings_ensure

    game_settings_ensure()
