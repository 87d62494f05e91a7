"""The configuration of the Django app."""

from django.apps import AppConfig

from common.parts import parts_register
from common.signals import account_closed, contest_unfrozen, member_left, team_joined, team_left


class LadderConfig(AppConfig):
    """Bots, versions, builds, ratings and boards."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register builds with the job queue, and follow contests, people and closed accounts."""
        from jobs.services.dispatching import kind_register
        from ladder.services.builds import BUILDS
        from ladder.services.closing import bots_of_closed_withdraw, closed_accounts_withdraw
        from ladder.services.honours import honours_drop
        from ladder.services.teams import bots_join_team, bots_leave_contest, bots_leave_team

        kind_register(BUILDS)
        parts_register("ladder/parts.html")
        account_closed.connect(bots_of_closed_withdraw)
        contest_unfrozen.connect(closed_accounts_withdraw)
        contest_unfrozen.connect(honours_drop)
        team_joined.connect(bots_join_team)
        team_left.connect(bots_leave_team)
        member_left.connect(bots_leave_contest)
