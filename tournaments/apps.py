"""The Django app config of the tournaments."""

from typing import Any

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, their rounds and tables."""

    name = "tournaments"
    verbose_name = "Tournaments"

    def ready(self) -> None:
        """Follow other apps' signals, and register sections of the export and pages of notifications."""
        import tournaments.exports  # noqa: F401 - the import registers them
        from accounts.models import Notification
        from common.parts import parts_register
        from common.signals import contest_archiving, results_void
        from ladder.models import BotEvent
        from ladder.selectors.honours import honours_register
        from ladder.words.events import event_page
        from ladder.words.notifications import notification_page
        from tournaments.selectors.honours import tournaments_won
        from tournaments.services.interplay import archive_check, decided_check

        parts_register("tournaments/parts.html")
        contest_archiving.connect(archive_check)
        results_void.connect(decided_check)
        honours_register(tournaments_won)
        event_page(BotEvent.Kind.TOURNAMENT, _tournament_url)
        for kind in Notification.Kind:
            if kind.startswith("tournament_"):
                notification_page(kind, _tournament_url)


def _tournament_url(values: dict[str, Any]) -> str:
    from django.urls import reverse

    return reverse("tournaments:tournament", args=[values["contest_place"], values["slug"]])
