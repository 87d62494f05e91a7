"""Reads bots and their versions, for the pages of bots and of their owners."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Window
from django.db.models.functions import Coalesce, Mod, RowNumber

from accounts.access import Reader, administrates
from accounts.models import User
from common.names import name_key
from common.queries.compiled import CompiledQuery
from common.text import is_row_number
from contests.models import TeamMember
from contests.selectors.people import team_keys
from contests.selectors.visibility import contest_is_seen, seen_by, shown_to
from ladder.models import Bot, BotVersion, Follow, RatingPoint

VERSIONS_SHOWN = 20
"""How many of the newest versions of a bot its page lists."""
POINTS_SHOWN = 200
"""Points on a rating graph, at most; more would lie closer than its pixels."""
LIVE_STATES = (*BotVersion.ON_BOARD, BotVersion.State.RECEIVED, BotVersion.State.UPLOADED, BotVersion.State.BUILDING)
"""States of a version that plays, waits to be examined or built, is being built, or is on probation."""


# --- Whose bots they are ---------------------------------------------------------------------------------------------
#
# A bot belongs to its owner alone, or to all members of its team. Every check of "own" is one of these functions.


def own_condition(*, reader: Reader, prefix: str = "") -> Q:
    """Return the condition that bots are a reader's own: the reader's alone, or those of a team of the reader.

    Args:
        reader: the user or visitor; visitors own nothing.
        prefix: the way from the model of the query to the bot, such as ``"version__bot__"``.
    """
    if reader.pk is None:
        return Q(**{f"{prefix}pk__in": []})
    teams = TeamMember.objects.filter(user=reader.pk).values("team")
    alone = Q(**{f"{prefix}owner": reader.pk, f"{prefix}team__isnull": True})
    return alone | Q(**{f"{prefix}team__in": teams})


def bots_own(*, reader: Reader) -> QuerySet[Bot]:
    """Return the bots that are a reader's own (``own_condition``)."""
    return Bot.objects.filter(own_condition(reader=reader))


def own_among(*, bots: Iterable[Bot], reader: Reader) -> set[int]:
    """Return the keys of those bots that are a reader's own (1 query if one of them has a team; else none)."""
    bots = list(bots)
    teams = team_keys(reader=reader) if any(bot.team_id for bot in bots) else set()
    own = (bot for bot in bots if (bot.team_id in teams if bot.team_id else bot.owner_id == reader.pk))
    return {bot.pk for bot in own}


def bot_is_own(*, bot: Bot, reader: Reader) -> bool:
    """Return whether a bot is a reader's own (1 query if it has a team; else none)."""
    return bool(own_among(bots=[bot], reader=reader))


def owned_by(*, name: str, prefix: str = "") -> Q:
    """Return the condition that bots belong to a user or team with this whole name, in any case.

    ``prefix`` is the way from the model of the query to the bot, such as ``"version__bot__"``.
    """
    return Q(**{f"{prefix}owner__username__iexact": name}) | Q(**{f"{prefix}team__name_key": name_key(name)})


def participant_key(prefix: str = "") -> Coalesce:
    """Return an expression that is equal for bots of one participant, and no others: a team, or an owner alone.

    ``prefix`` is the way from the model of the query to the bot, such as ``"bot__"``.
    """
    # Negative, so that no team has the key of a user.
    return Coalesce(-F(f"{prefix}team"), F(f"{prefix}owner"), output_field=BigIntegerField())


# --- The pages of bots -----------------------------------------------------------------------------------------------


class HistoryPoint(NamedTuple):
    """The rating of a version after a number of its matches."""

    version: int
    """Number of the version."""
    games: int
    rating: float
    standard_error: float
    at: datetime


def _versions() -> QuerySet[BotVersion]:
    return BotVersion.objects.select_related("rating").defer("log").order_by("-number")


def _page(pk: int, reader: int, *, limit: int) -> QuerySet[BotVersion]:
    followed = Exists(Follow.objects.filter(bot=pk, follower=reader))
    shown = (
        _versions().annotate(is_followed=followed).select_related("bot__owner", "bot__contest", "bot__team", "rating")
    )
    return shown.defer("log", "bot__contest__description").filter(bot=pk)[:limit]


_page_compiled = CompiledQuery(_page)


def bot_page(*, pk: int, reader: Reader | None = None) -> Bot | None:
    """Return a bot with its owner, its ``newest_versions`` with their ratings, and whether the reader follows it.

    ``bot_versions`` and ``bot_is_followed`` read the last two from the bot.

    1 query for most bots; 2 for a bot without versions, or with many of which none of the newest is on the board.

    None if there is no such bot, also for a key that no row can have, since anybody can type one into a url.
    """
    if not is_row_number(str(pk)):
        return None
    versions = _page_compiled.rows(pk, (reader and reader.pk) or 0, limit=VERSIONS_SHOWN)
    bot = versions[0].bot if versions else Bot.objects.select_related("owner", "team", "contest").filter(pk=pk).first()
    if bot:
        for version in versions:
            version.bot = bot  # Django makes one Bot object for each row
        bot.is_followed = any(version.is_followed for version in versions)  # type: ignore[attr-defined]
        _newest_versions_set(bot, versions)
    return bot


def bot_is_followed(*, bot: Bot) -> bool:
    """Return whether the reader for whom ``bot_page`` has read a bot follows it (no query)."""
    return bool(getattr(bot, "is_followed", False))


def bot_for_reader(*, pk: int, reader: Reader) -> Bot | None:
    """Return a bot as ``bot_page`` does; None if there is none or this reader may not see it or its contest."""
    bot = bot_page(pk=pk, reader=reader)
    if bot is None or not contest_is_seen(bot.contest, reader=reader):
        return None
    return bot if bot_is_seen(bot=bot, reader=reader) else None


def bot_is_seen(*, bot: Bot, reader: Reader) -> bool:
    """Return whether a reader who may see a bot's contest may see the bot: all may, once a version was accepted.

    Before that only its owners and administrators may (at most 3 queries; none for most bots). The bot has its
    ``newest_versions``.
    """
    return bot_accepted(bot=bot) or bot_is_own(bot=bot, reader=reader) or administrates(reader)


def bot_accepted(*, bot: Bot) -> bool:
    """Return whether any version of a bot was ever accepted: it was built and passed its check match.

    No query if one of its ``newest_versions`` was accepted, or if the bot has no others; else 1.
    """
    newest = bot_versions(bot=bot)
    if any(version.activated_at for version in newest):
        return True
    return len(newest) >= VERSIONS_SHOWN and bots_accepted().filter(pk=bot.pk).exists()


def bots_accepted() -> QuerySet[Bot]:
    """Return the bots with an accepted version, which everybody may see."""
    return Bot.objects.filter(Exists(BotVersion.objects.filter(bot=OuterRef("pk"), activated_at__isnull=False)))


def _newest_versions_set(bot: Bot, newest: list[BotVersion]) -> None:
    """Set a bot's attribute ``newest_versions``, and append the version on the board if that is older than all of them.

    Many uploads may have been rejected since. The owner can still withdraw the version that plays from the list.
    """
    bot.newest_versions = newest  # type: ignore[attr-defined]
    active = bot_active_version(bot=bot)
    if active and active not in newest:
        newest.append(active)


def bot_active_version(*, bot: Bot) -> BotVersion | None:
    """Return the version that represents a bot on the board, with its rating, or None.

    No query if the bot has ``newest_versions`` and the version is one of them, or the bot has no others; else 1.
    """
    newest: list[BotVersion] | None = getattr(bot, "newest_versions", None)
    for version in newest or []:
        if version.state in BotVersion.ON_BOARD:
            return version
    if newest is not None and len(newest) < VERSIONS_SHOWN:
        return None
    return _versions().select_related("bot__contest").filter(bot=bot, state__in=BotVersion.ON_BOARD).first()


def bot_shown_version(*, bot: Bot) -> BotVersion | None:
    """Return the version whose rating a bot's page shows, or None if none was ever rated.

    It is the version on the board; without one it is the newest version that has a rating (1 query more).
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
    """Return a bot's rating history, version after version, or that of the version with this number alone (1 query).

    Of a long history it is every n-th point, counted from the newest, so that this one is always included.
    """
    return [HistoryPoint(*row) for row in _points_compiled.rows(bot.pk, version, shown=POINTS_SHOWN)]


def bot_versions(*, bot: Bot) -> list[BotVersion]:
    """Return the ``newest_versions`` of a bot that was read by ``bot_page`` or ``bots_of`` (no query)."""
    newest: list[BotVersion] = getattr(bot, "newest_versions", [])
    return newest


def versions_of(*, bot: Bot) -> QuerySet[BotVersion]:
    """Return all versions of a bot with their ratings, the newest first."""
    return _versions().filter(bot=bot)


def bots_of(*, owner: User, reader: Reader | None = None, contest: str = "") -> list[Bot]:
    """Return a user's bots, and those of the user's teams, with their ``newest_versions``, of all contests or one.

    3 queries, 1 more for each of ``bot_page``'s rare cases. The owner (no ``reader``) gets the bots of all contests
    that the owner may see. Others get those of the contests that lists show to them: an unlisted contest is on nobody's
    page.
    """
    listed = seen_by(owner) if reader is None or reader.pk == owner.pk else shown_to(reader)
    if contest:
        listed &= Q(contest=contest)
    return bots_with_versions(bots_own(reader=owner).filter(listed))


def bots_with_versions(found: QuerySet[Bot]) -> list[Bot]:
    """Return bots with their teams and ``newest_versions``, by game and name, as ``bots_of`` does."""
    newest = Prefetch("versions", queryset=_versions()[:VERSIONS_SHOWN], to_attr="newest_versions")
    bots: list[Bot] = list(found.select_related("team", "contest").prefetch_related(newest).order_by("game", "name"))
    for bot in bots:
        _newest_versions_set(bot, bot_versions(bot=bot))
    return bots


def bot_withdrawn(*, bot: Bot) -> bool:
    """Return whether the newest version of a bot was withdrawn and no version plays or waits for its build (no query).

    A bot whose newest version was rejected does not count as withdrawn: its owner may be about to correct it. The bot
    has its ``newest_versions``.
    """
    versions = bot_versions(bot=bot)
    live = any(version.state in LIVE_STATES for version in versions)
    return not live and bool(versions) and versions[0].state == BotVersion.State.RETIRED
