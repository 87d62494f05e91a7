"""The configuration of the Django app."""

from typing import Any

from django.apps import AppConfig

from common.signals import contest_unfrozen


class LadderConfig(AppConfig):
    """Bots, versions, builds, ratings and boards."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register builds with the job queue, and withdraw bots of closed accounts when a contest is open again."""
        from jobs.services.dispatching import work_register
        from ladder.services.build_queue import BUILDS

        work_register(BUILDS)
        contest_unfrozen.connect(_bots_withdraw)


def _bots_withdraw(*, contest: str, **_: Any) -> None:
    from ladder.services.closing import closed_accounts_withdraw

    closed_accounts_withdraw(contest=contest)
