"""The bots and announcements of a contest, as organisers see them. Nothing of it is a secret of the bots' owners."""

from __future__ import annotations

from django.db.models import F, QuerySet

from contests.models import Contest
from ladder.models import Announcement, Bot, BotVersion

BOTS_SHOWN = 50


def desk_bots(*, contest: str, name: str) -> QuerySet[BotVersion]:
    """Return the versions that play for people's bots in a contest, by rank, those whose names contain ``name``."""
    playing = BotVersion.objects.filter(bot__contest=contest, bot__is_house=False, state__in=BotVersion.ON_BOARD)
    if name:
        playing = playing.filter(bot__name__icontains=name)
    ranked = playing.select_related("bot__owner", "bot__team", "rating").defer("log")
    return ranked.order_by(F("rating__rank").asc(nulls_last=True), "bot__name_key")


def desk_version(*, contest: str, bot: int) -> BotVersion | None:
    """Return the version that plays for a bot of a contest, or None (1 query)."""
    return desk_bots(contest=contest, name="").filter(bot=bot).first()


def desk_announcements(*, contest: str) -> QuerySet[Announcement]:
    """Return all announcements of a contest, those that are over too, the newest first."""
    return Announcement.objects.filter(contest=contest)


def desk_pair(*, contest: Contest | None, one: int, other: int) -> tuple[Bot, Bot] | None:
    """Return two bots by their keys, of a contest or of any; None if one of them is no such bot (1 query)."""
    bots = Bot.objects.filter(**({"contest": contest} if contest else {})).in_bulk([one, other])
    return (bots[one], bots[other]) if len(bots) == 2 else None
