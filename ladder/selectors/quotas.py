"""Reads how much of the quotas a user has used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.utils import timezone

from accounts.models import User
from contests.models import Contest
from ladder.models import BotVersion
from ladder.selectors.bots import LIVE_STATES

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
    """Return what a user has used (1 query). Bots of contests that are over do not count: nobody can withdraw them."""
    hour_ago = timezone.now() - QUOTA_PERIOD
    over = Contest.objects.filter(state__in=(Contest.State.FROZEN, Contest.State.ARCHIVED)).values("pk")
    used = BotVersion.objects.filter(bot__owner=owner, bot__is_house=False).aggregate(
        bots=Count("bot", filter=Q(state__in=LIVE_STATES) & ~Q(bot__contest__in=over), distinct=True),
        versions_hour=Count("pk", filter=Q(created_at__gt=hour_ago, bundle_bytes__gt=0)),
        bytes=Sum("bundle_bytes", default=0),
    )
    return Quota(
        bots_max=settings.USER_ACTIVE_BOTS_MAX,
        versions_hour_max=settings.USER_VERSIONS_PER_HOUR,
        bytes_max=settings.USER_BYTES_MAX,
        **used,
    )
