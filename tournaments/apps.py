"""The Django app config of the tournaments."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, their rounds and tables."""

    name = "tournaments"
    verbose_name = "Tournaments"

    def ready(self) -> None:
        """Follow other apps' signals, and register honours."""
        from common.parts import parts_register
        from common.signals import contest_archiving, results_void
        from ladder.selectors.honours import honours_register
        from tournaments.selectors.honours import tournaments_won
        from tournaments.services.interplay import archive_check, decided_check

        parts_register("tournaments/parts.html")
        contest_archiving.connect(archive_check)
        results_void.connect(decided_check)
        honours_register(tournaments_won)
