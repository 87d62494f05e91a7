"""Reads how much of the quotas a user has used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.utils import timezone

from accounts.models import User
from contests.models import Contest
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, own_condition

QUOTA_PERIOD = timedelta(hours=1)
"""The period in which a user may upload ``USER_VERSIONS_PER_HOUR`` versions."""


@dataclass(frozen=True, slots=True)
class Quota:
    """The bots, versions and bytes that a user has used, each with the most that one user may use."""

    bots: int
    bots_max: int
    versions_hour: int
    versions_hour_max: int
    bytes: int
    bytes_max: int


def quota_of(*, owner: User) -> Quota:
    """Return what a user has used alone and in teams (1 query).

    Bots of contests that are over do not count: nobody can withdraw them. The attack that counting the bots of teams
    stops: somebody makes a team in each of many contests, and fills the arena with the bots of all of them.
    """
    hour_ago = timezone.now() - QUOTA_PERIOD
    over = Contest.objects.filter(state__in=(Contest.State.FROZEN, Contest.State.ARCHIVED)).values("pk")
    own = own_condition(reader=owner, prefix="bot__")
    used = BotVersion.objects.filter(own, bot__is_house=False).aggregate(
        bots=Count("bot", filter=Q(state__in=LIVE_STATES) & ~Q(bot__contest__in=over), distinct=True),
        versions_hour=Count("pk", filter=Q(created_at__gt=hour_ago, bundle_bytes__gt=0)),
        # Of an upload that the examination refused, nothing is stored.
        bytes=Sum("bundle_bytes", default=0, filter=~Q(state=BotVersion.State.REJECTED, bundle_digest="")),
    )
    return Quota(
        bots_max=settings.USER_ACTIVE_BOTS_MAX,
        versions_hour_max=settings.USER_VERSIONS_PER_HOUR,
        bytes_max=settings.USER_BYTES_MAX,
        **used,
    )


def bots_live_count(*, contest: str, owner: User | None = None, team: int | None = None) -> int:
    """Return how many live bots a participant of a contest has: the team with this key, else a user alone (1 query)."""
    bots = Bot.objects.filter(contest=contest, team=team, is_house=False)
    if team is None:
        bots = bots.filter(owner=owner)
    return bots.filter(versions__state__in=LIVE_STATES).distinct().count()


def contest_bots_max(*, contest: Contest) -> int:
    """Return how many live bots a participant of a contest may have (no query)."""
    return settings.USER_ACTIVE_BOTS_MAX if contest.bots_max is None else contest.bots_max
