"""The configuration of the Django app."""

from typing import Any

from django.apps import AppConfig

from common.parts import parts_register
from common.signals import contest_unfrozen, member_left, team_joined, team_left


class LadderConfig(AppConfig):
    """Bots, versions, builds, ratings and boards."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register builds with the job queue, and follow contests that open again and people who join and leave."""
        import ladder.exports  # noqa: F401 - the import registers sections
        from jobs.services.dispatching import kind_register
        from ladder.services.builds import BUILDS
        from ladder.services.honours import honours_drop
        from ladder.services.teams import bots_join_team, bots_leave_contest, bots_leave_team

        kind_register(BUILDS)
        parts_register("ladder/parts.html")
        contest_unfrozen.connect(_bots_withdraw)
        contest_unfrozen.connect(honours_drop)
        team_joined.connect(bots_join_team)
        team_left.connect(bots_leave_team)
        member_left.connect(bots_leave_contest)


def _bots_withdraw(*, contest: str, **_: Any) -> None:
    from ladder.services.closing import closed_accounts_withdraw

    closed_accounts_withdraw(contest=contest)
