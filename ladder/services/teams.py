"""What becomes of bots when their owners join and leave teams and contests: receivers of ``common.signals``."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from contests.models import Team
from contests.selectors.contests import contest_is_over
from contests.services.teams import teams_leave
from ladder.models import Bot, BotVersion
from ladder.selectors.quotas import bots_live_count, contest_bots_max
from ladder.services.bots import bots_lock
from ladder.services.versions import versions_withdraw


def bots_join_team(*, team: Team, user: User, **_signal: Any) -> None:
    """Pass a user's own bots of a contest on to the team that the user has joined.

    Raises:
        InputError: together they have more bots than a participant of the contest may have.
    """
    brought = Bot.objects.filter(contest=team.contest_id, owner=user, team=None, is_house=False)
    bots_lock(pks=brought.values("pk"))
    most = contest_bots_max(contest=team.contest)
    count = bots_live_count(contest=team.contest_id, owner=user)
    if count and count + bots_live_count(contest=team.contest_id, team=team.pk) > most:
        sentence = _(
            "A participant of this contest may have %(max)d bots, and the team would have more together with yours."
            " Please withdraw some first."
        )
        raise InputError(sentence % {"max": most})
    brought.update(team=team)


def bots_leave_team(*, team: Team, user: User, **_signal: Any) -> None:
    """Pass the bots of a user who has left a team, all that the user brought or uploaded to it, on to its captain.

    A user who was the last member keeps all bots of the team, as a participant alone.
    """
    bots = Bot.objects.filter(team=team)
    bots_lock(pks=bots.values("pk"))
    if team.members.exists():
        bots.filter(owner=user).update(owner=team.captain_id)
    else:
        bots.update(team=None, owner=user)


def bots_leave_contest(*, contest: str, user: User, **_signal: Any) -> None:
    """Take a user who is no member of a contest any more out of its team, and withdraw the bots that were the user's.

    If the contest is over, its board stays as it is.
    """
    teams_leave(user=user, contest=contest)
    bots = Bot.objects.filter(contest=contest, owner=user, team=None, is_house=False)
    bots_lock(pks=bots.values("pk"))
    if not contest_is_over(contest=contest):
        versions_withdraw(BotVersion.objects.filter(bot__in=bots))
