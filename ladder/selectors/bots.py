"""What the pages of bots and of their owners read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Sum, Window
from django.db.models.functions import Mod, RowNumber
from django.utils import timezone

from accounts.access import Reader, administrates
from accounts.models import User
from common.queries.compiled import CompiledQuery
from common.text import is_row_number
from ladder.models import (
    Bot,
    BotVersion,
    GameSetting,
    RatingPoint,
)

VERSIONS_SHOWN = 20
"""Newest versions of a bot that pages list."""
POINTS_SHOWN = 200
"""More points than that on a rating graph are finer than its pixels."""
QUOTA_PERIOD = timedelta(hours=1)
"""Over which a user may upload so many versions."""
LIVE_STATES = (*BotVersion.ON_BOARD, BotVersion.State.UPLOADED, BotVersion.State.BUILDING)
"""States of a version that plays, soon will, or would if its owner looked."""


class HistoryPoint(NamedTuple):
    """A rating as it was after so many matches of its version."""

    version: int
    """Its number."""
    games: int
    rating: float
    standard_error: float
    at: datetime


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


def _newest_versions() -> Prefetch[str, QuerySet[BotVersion], str]:
    return Prefetch("versions", queryset=_versions()[:VERSIONS_SHOWN], to_attr="newest_versions")


def _page(pk: int, *, limit: int) -> QuerySet[BotVersion]:
    return _versions().select_related("bot__owner", "rating").filter(bot=pk)[:limit]


_page_compiled = CompiledQuery(_page)


def bot_page(*, pk: int) -> Bot | None:
    """Return a bot with its owner and its ``newest_versions`` (see ``_versions_keep``) with their ratings.

    1 query in most cases; 2 if it has no version, or many of which none of the newest plays.

    None if there is none, and for a number that no row can have: anybody may type one into an address.
    """
    if not is_row_number(str(pk)):
        return None
    versions = _page_compiled.rows(pk, limit=VERSIONS_SHOWN)
    bot = versions[0].bot if versions else Bot.objects.select_related("owner").filter(pk=pk).first()
    if bot:
        for version in versions:
            version.bot = bot  # each would have one of its own
        _versions_keep(bot, versions)
    return bot


def bot_for_reader(*, pk: int, reader: Reader) -> Bot | None:
    """Return a bot as ``bot_page`` does, or None: to others than its owner a rejected try does not exist."""
    bot = bot_page(pk=pk)
    return bot if bot and bot_is_seen(bot=bot, reader=reader) else None


def bot_is_seen(*, bot: Bot, reader: Reader) -> bool:
    """Tell whether somebody may see a bot: everybody once a version of it has been accepted.

    Before that only its owner and administrators (at most 2 queries; none for most bots).

    Args:
        bot: with its ``newest_versions``.
        reader: who looks.
    """
    return bot_accepted(bot=bot) or bot.owner_id == reader.pk or administrates(reader)


def bot_accepted(*, bot: Bot) -> bool:
    """Tell whether any version of a bot was ever built and passed its check match.

    No query if one of its ``newest_versions`` was, or these are all there are; else 1.
    """
    newest = bot_versions(bot=bot)
    if any(version.activated_at for version in newest):
        return True
    return len(newest) >= VERSIONS_SHOWN and bots_accepted().filter(pk=bot.pk).exists()


def bots_accepted() -> QuerySet[Bot]:
    """Return the bots of which any version was ever accepted: those that everybody may see."""
    return Bot.objects.filter(Exists(BotVersion.objects.filter(bot=OuterRef("pk"), activated_at__isnull=False)))


def _versions_keep(bot: Bot, newest: list[BotVersion]) -> None:
    """Keep a bot's ``newest_versions`` with it, behind them the one on the board if it is older than all of these.

    Many uploads may have been rejected since: a list without the one that plays would not let its owner withdraw it.
    """
    bot.newest_versions = newest  # type: ignore[attr-defined]
    active = bot_active_version(bot=bot)
    if active and active not in newest:
        newest.append(active)


def bot_active_version(*, bot: Bot) -> BotVersion | None:
    """Return the version that stands for a bot on the board, with its rating, or None.

    No query if it is among the ``newest_versions`` that came with the bot, or these are all there are; else 1.
    """
    newest: list[BotVersion] | None = getattr(bot, "newest_versions", None)
    for version in newest or []:
        if version.state in BotVersion.ON_BOARD:
            return version
    if newest is not None and len(newest) < VERSIONS_SHOWN:
        return None
    return _versions().select_related("bot").filter(bot=bot, state__in=BotVersion.ON_BOARD).first()


def bot_shown_version(*, bot: Bot) -> BotVersion | None:
    """Return the version whose numbers a bot's page shows, with its rating, or None before the first.

    It is the one on the board; while there is none, the newest that was rated (1 query then).
    """
    active = bot_active_version(bot=bot)
    return active or _versions().select_related("bot").filter(bot=bot, rating__isnull=False).first()


def _points(bot: int, number: int | None, *, shown: int) -> QuerySet[RatingPoint, tuple[Any, ...]]:
    from_newest = Window(RowNumber(), order_by=[F("version__number").desc(), F("games").desc()])
    step = Window(Count("*")) / shown + 1
    played = RatingPoint.objects.filter(version__bot=bot, games__gt=0)
    if number is not None:
        played = played.filter(version__number=number)
    points = played.annotate(place=Mod(from_newest - 1, step)).filter(place=0)
    return points.order_by("version__number", "games").values_list("version__number", *HistoryPoint._fields[1:])


_points_compiled = CompiledQuery(_points)


def bot_rating_points(*, bot: Bot, version: int | None = None) -> list[HistoryPoint]:
    """Return a bot's rating history, version after version, thinned evenly if it is long (1 query).

    Counted from the newest point, so that the newest one is always there.

    Args:
        bot: whose.
        version: number of the only version to tell of; None tells of all.
    """
    return [HistoryPoint(*row) for row in _points_compiled.rows(bot.pk, version, shown=POINTS_SHOWN)]


def bot_versions(*, bot: Bot) -> list[BotVersion]:
    """Return the ``newest_versions`` that came with a bot (no query)."""
    newest: list[BotVersion] = getattr(bot, "newest_versions", [])
    return newest


def versions_of(*, bot: Bot) -> QuerySet[BotVersion]:
    """Return all versions of a bot with their ratings, newest first."""
    return _versions().filter(bot=bot)


def bots_of(*, owner: User) -> list[Bot]:
    """Return a user's bots with their ``newest_versions`` (2 queries, 1 more for each of ``bot_page``'s rare cases)."""
    bots = list(owner.bots.prefetch_related(_newest_versions()).order_by("game", "name"))
    for bot in bots:
        _versions_keep(bot, bot_versions(bot=bot))
    return bots


def bot_withdrawn(*, bot: Bot) -> bool:
    """Tell whether the newest version of a bot was withdrawn, and none plays or soon will (no query).

    A bot whose newest version was rejected is not: its owner may be about to correct it.

    Args:
        bot: with its ``newest_versions``.
    """
    versions = bot_versions(bot=bot)
    live = any(version.state in LIVE_STATES for version in versions)
    return not live and bool(versions) and versions[0].state == BotVersion.State.RETIRED


def version_of(*, pk: int, owner: Reader) -> BotVersion | None:
    """Return a version if it is this user's own, or None: others shall not even learn that it exists."""
    if not isinstance(owner, User):
        return None
    return BotVersion.objects.select_related("bot__owner", "rating").filter(pk=pk, bot__owner=owner).first()


def version_to_resume(*, pk: int, reader: Reader) -> BotVersion | None:
    """Return a version whose probation this user may end (1 query): an own one, and for administrators any."""
    if not isinstance(reader, User):
        return None
    own = Q() if administrates(reader) else Q(bot__owner=reader)
    return BotVersion.objects.select_related("bot__owner", "rating").filter(own, pk=pk).first()


def builds_nobody_awaits() -> Q:
    """Return which builds are for the arena's own bots, or of versions that would not play.

    Those are versions of which a newer one plays, or will as far as anybody knows. Should that be rejected or withdrawn
    they are awaited again; until then they are good for private tests alone.
    """
    newer = BotVersion.objects.filter(bot=OuterRef("bot"), number__gt=OuterRef("number"), state__in=LIVE_STATES)
    return Q(bot__is_house=True) | Q(Exists(newer))


def uploads_waiting() -> int:
    """Return how many versions wait for a builder, of whomever (1 query)."""
    return BotVersion.objects.filter(state=BotVersion.State.UPLOADED).count()


def quota_of(*, owner: User) -> Quota:
    """Return what a user has used (1 query). Bots of frozen games, which nobody can withdraw, are not among them."""
    hour_ago = timezone.now() - QUOTA_PERIOD
    frozen = GameSetting.objects.filter(state=GameSetting.State.FROZEN).values("game")
    used = BotVersion.objects.filter(bot__owner=owner, bot__is_house=False).aggregate(
        bots=Count("bot", filter=Q(state__in=LIVE_STATES) & ~Q(bot__game__in=frozen), distinct=True),
        versions_hour=Count("pk", filter=Q(created_at__gt=hour_ago, bundle_bytes__gt=0)),
        bytes=Sum("bundle_bytes", default=0),
    )
    return Quota(
        bots_max=settings.USER_ACTIVE_BOTS_MAX,
        versions_hour_max=settings.USER_VERSIONS_PER_HOUR,
        bytes_max=settings.USER_BYTES_MAX,
        **used,
    )
