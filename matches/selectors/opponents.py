"""Queries for the pages of a bot's opponents and of two bots side by side."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Case, F, FilteredRelation, FloatField, OrderBy, Q, QuerySet, Value, When
from django.db.models.functions import Cast, Power

from accounts.access import Reader
from common.names import name_key
from common.queries.compiled import CompiledQuery
from common.text import is_row_number
from contests.selectors.visibility import seen_by
from ladder.models import Bot, BotVersion, Rating
from ladder.selectors.bots import (
    HistoryPoint,
    bot_page,
    bot_rating_points,
    bot_shown_version,
    bots_accepted,
    own_condition,
)
from ladder.selectors.ratings import interval_of, rating_of
from matches.models import HeadToHead

OPPONENTS_PAGE_ROWS = 50
COMMON_ROWS = 50

SORTS: dict[str, tuple[str | OrderBy, str]] = {
    "games": ("-games", "opponent"),
    "rating": (F("opponent_rating").desc(nulls_last=True), "opponent"),
    "score": (F("score").desc(), "opponent"),
    "better": (F("difference").desc(nulls_last=True), "opponent"),
    "worse": (F("difference").asc(nulls_last=True), "opponent"),
}
"""Orders of a table of opponents by their names in urls; ``better`` and ``worse``: than the ratings predict."""


@dataclass(frozen=True, slots=True)
class Side:
    """One bot of a comparison."""

    bot: Bot
    version: BotVersion | None
    """The version that plays, or that played last."""
    rating: Rating | None
    points: list[HistoryPoint]

    @property
    def opponents(self) -> QuerySet[HeadToHead]:
        """The bot's tallies against each of its opponents, as ``opponents_of`` returns them."""
        return opponents_of(bot=self.bot.pk, rating=self.rating.rating if self.rating else None)

    @property
    def interval(self) -> float | None:
        """Half the width of the rating's interval, Elo points."""
        return interval_of(self.rating) if self.rating else None


@dataclass(frozen=True, slots=True)
class Common:
    """An opponent that both bots of a comparison have met."""

    opponent: Bot
    first: HeadToHead
    second: HeadToHead


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two bots side by side."""

    first: Side
    second: Side
    met: HeadToHead | None
    """Tally of the first against the second; None if they never met."""
    common: list[Common]
    """Opponents of both, those that the first has met most often first; at most ``COMMON_ROWS``."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides, for loops in templates."""
        return self.first, self.second


def opponents_of(*, bot: int, rating: float | None) -> QuerySet[HeadToHead]:
    """Return a bot's tallies against each opponent, those it met most often first.

    Args:
        bot: key of the bot.
        rating: rating of its version that plays or played last, Elo points; None without one.

    Returns:
        Rows with the opponent and these annotations: ``opponent_rating`` of the version that plays; ``score``, a draw
        is half; ``expected``, the score that today's two ratings would give in as many games,
        n / (1 + 10^((r_opponent - r) / 400)); ``difference`` of the two. Null where a rating is missing.
    """
    rows = HeadToHead.objects.filter(bot=bot, games__gt=0).select_related("opponent")
    gap = (F("opponent_rating") - Value(rating, output_field=FloatField())) / 400.0
    # Beyond 20 decimal powers the score is 0 or all there is; a power must not overflow.
    bounded = Case(When(_gap__gt=20.0, then=20.0), When(_gap__lt=-20.0, then=-20.0), default=F("_gap"))
    return rows.annotate(
        # A join, not a subquery, which would be repeated wherever the rating is used.
        _playing=FilteredRelation("opponent__versions", condition=Q(opponent__versions__state__in=BotVersion.ON_BOARD)),
        opponent_rating=F("_playing__rating__rating"),
        _gap=gap,
        score=Cast(F("wins"), FloatField()) + F("draws") * 0.5,
        expected=F("games") / (1.0 + Power(Value(10.0), bounded)),
        difference=F("score") - F("expected"),
    ).order_by(*SORTS["games"])


_met_most = CompiledQuery(lambda bot, rating, *, limit: opponents_of(bot=bot, rating=rating)[:limit])


def opponents_met_most(*, bot: Bot, rating: float | None, limit: int) -> list[HeadToHead]:
    """Return the first ``limit`` rows of ``opponents_of`` (1 query)."""
    return _met_most.rows(bot.pk, rating, limit=limit)


def opponents_page(*, bot: Bot, rating: float | None, sort: str, number: str | None) -> Page[HeadToHead]:
    """Return a page of a bot's opponents (2 queries). ``rating`` is as for ``opponents_of``.

    A ``sort`` that is none of ``SORTS`` means ``games``; a ``number`` that is no page gives the first or the last.
    """
    rows = opponents_of(bot=bot.pk, rating=rating).order_by(*SORTS.get(sort, SORTS["games"]))
    return Paginator(rows, OPPONENTS_PAGE_ROWS).get_page(number)


def opponent_own(*, page: Page[HeadToHead], reader: Reader) -> tuple[int, int] | None:
    """Return where the first of the reader's own bots stands among a bot's opponents (at most 2 queries).

    ``page`` comes from ``opponents_page``, and the rows of all its pages are searched. The answer is the number of the
    page and the key of the own bot; None if no own bot is among the opponents.
    """
    if not reader.pk:
        return None
    rows = page.paginator.object_list
    assert isinstance(rows, QuerySet)  # noqa: S101 - tells the type
    condition = own_condition(reader=reader, prefix="opponent__")
    own = set(rows.filter(condition).order_by().values_list("opponent", flat=True))
    if not own:  # the usual case; sorting all rows takes long
        return None
    bots = enumerate(rows.values_list("opponent", flat=True))
    return next((place // OPPONENTS_PAGE_ROWS + 1, bot) for place, bot in bots if bot in own)


def bot_by_text(*, text: str, reader: Reader, contest: str = "") -> Bot | None:
    """Return an accepted bot that a reader may see, by its key or its name as typed; None if there is none.

    ``contest`` is the key of the bot's contest. If it is empty, the bot may be in any, but is found by its key alone.
    """
    bots = bots_accepted().filter(seen_by(reader))
    if is_row_number(text):
        found = bots.filter(pk=int(text)).first()
        if found and contest in ("", found.contest_id):
            return found
    # PostgreSQL refuses a NUL, which no name contains.
    named = contest and text and "\x00" not in text
    return bots.filter(contest=contest, name_key=name_key(text)).first() if named else None


def comparison(*, first: Bot, second: Bot) -> Comparison:
    """Return two bots of a contest side by side (7 queries, and 1 more for each bot that plays no more)."""
    one, other = _side(first), _side(second)
    return Comparison(one, other, one.opponents.filter(opponent=second).first(), _common(one, other))


def _side(bot: Bot) -> Side:
    page = bot_page(pk=bot.pk)
    assert page is not None  # noqa: S101 - for the type checker: bots are never deleted
    version = bot_shown_version(bot=page)
    return Side(page, version, rating_of(version) if version else None, bot_rating_points(bot=page))


def _common(one: Side, other: Side) -> list[Common]:
    met_by_other = HeadToHead.objects.filter(bot=other.bot, games__gt=0).values("opponent")
    found = {row.opponent_id: row for row in one.opponents.filter(opponent__in=met_by_other)[:COMMON_ROWS]}
    seconds = {row.opponent_id: row for row in other.opponents.filter(opponent__in=found)}
    return [Common(row.opponent, row, seconds[pk]) for pk, row in found.items() if pk in seconds]
