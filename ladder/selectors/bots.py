"""What the pages of bots and of their owners read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Prefetch, Q, QuerySet, Sum
from django.utils import timezone

from ladder.models import Bot, BotVersion, RatingPoint, User

Reader = User | AnonymousUser
"""Whoever looks at a page."""

LIVE_STATES = (BotVersion.State.ACTIVE, BotVersion.State.UPLOADED, BotVersion.State.BUILDING)
"""States of a version that plays or soon will."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What a user has used of what one user may use."""

    bots: int
    bots_max: int
    versions_hour: int
    versions_hour_max: int
    bytes: int
    bytes_max: int


def _versions() -> QuerySet[BotVersion]:
    return BotVersion.objects.select_related("rating").defer("log").order_by("-number")


def bot_page(*, pk: int) -> Bot | None:
    """Return a bot with its owner and all its versions and their ratings, newest first (2 queries), or None."""
    bots = Bot.objects.select_related("owner").prefetch_related(Prefetch("versions", queryset=_versions()))
    return bots.filter(pk=pk).first()


def bot_rating_points(*, bot: Bot) -> list[RatingPoint]:
    """Return a bot's rating history, version after version in the order they were uploaded (1 query)."""
    points = RatingPoint.objects.filter(version__bot=bot).select_related("version")
    return list(points.order_by("version__number", "games"))


def bots_of(*, owner: User) -> list[Bot]:
    """Return a user's bots with their versions, newest first (2 queries)."""
    return list(owner.bots.prefetch_related(Prefetch("versions", queryset=_versions())).order_by("game", "name"))


def version_of(*, pk: int, owner: Reader) -> BotVersion | None:
    """Return a version if it is this user's own, or None: others shall not even learn that it exists."""
    if not isinstance(owner, User):
        return None
    return BotVersion.objects.select_related("bot__owner", "rating").filter(pk=pk, bot__owner=owner).first()


def quota_of(*, owner: User) -> Quota:
    """Return what a user has used (1 query)."""
    hour_ago = timezone.now() - timedelta(hours=1)
    used = BotVersion.objects.filter(bot__owner=owner, bot__is_house=False).aggregate(
        bots=Count("bot", filter=Q(state__in=LIVE_STATES), distinct=True),
        versions_hour=Count("pk", filter=Q(created_at__gt=hour_ago)),
        bytes=Sum("bundle_bytes", default=0),
    )
    return Quota(
        bots_max=settings.USER_ACTIVE_BOTS_MAX,
        versions_hour_max=settings.USER_VERSIONS_PER_HOUR,
        bytes_max=settings.USER_BYTES_MAX,
        **used,
    )
