"""The leaderboards: one a game, as the last fit has left it (``ladder.services.standings``).

A board is one list, sorted by rating. A bot has a rank once it has played enough rated matches, whatever its interval;
what is not known yet is told by the interval, the ranks that it leaves open, and a mark in the row.

Pages are cut by rating, not by row numbers: whoever goes on to the next page gets those below the last row seen,
however many have come in above it since.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet

from accounts.access import Reader
from common.names import name_key
from ladder.leagues import league_name
from ladder.models import BotVersion, Rating
from ladder.selectors.games import GameCard
from rating import interval, is_provisional

BOARD_PAGE_ROWS = 30

_SHOWN = (
    "rating",
    "standard_error",
    "games",
    "last_match_at",
    "rank",
    "rank_best",
    "rank_worst",
    "version__number",
    "version__state",
    "version__language",
    "version__bot__name",
    "version__bot__is_house",
    "version__bot__league",
    "version__bot__league_since",
    "version__bot__boss_of",
    "version__bot__owner__username",
)
"""All that a row shows; the version's log can be large."""


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """Which bots of a game a board shows; what is empty takes all."""

    name: str = ""
    """Part of the bot's name, whatever the capitals."""
    owner: str = ""
    """User name, whole."""
    language: str = ""
    league: int | None = None

    def __bool__(self) -> bool:
        """Say whether anything is chosen."""
        return self != BoardFilter()


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One version on a board."""

    rating: Rating

    @property
    def version(self) -> BotVersion:
        """The version."""
        return self.rating.version

    @property
    def rank(self) -> int | None:
        """From 1; None while it has played too few matches."""
        return self.rating.rank

    @property
    def provisional(self) -> bool:
        """Whether the rating is still uncertain: by few matches, or by a wide interval."""
        return rating_provisional(self.rating)

    @property
    def interval(self) -> float:
        """Half the width of the rating's interval, Elo points."""
        return interval_of(self.rating)

    @property
    def league(self) -> str:
        """Name of the bot's league; empty until it is placed."""
        return league_name(self.version.bot.league_placed)

    @property
    def door(self) -> str:
        """Name of the league whose boss this is; empty for all others."""
        boss_of = self.version.bot.boss_of
        return "" if boss_of is None else league_name(boss_of)

    @property
    def cursor(self) -> str:
        """What ``board_page`` takes to go on from here."""
        return f"{self.rating.rating!r}_{self.rating.version_id}"


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a game's leaderboard."""

    rows: list[BoardRow]
    newer: str
    """Cursor of the page above, empty on the first."""
    older: str
    """Cursor of the page below, empty on the last."""


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The top of a game's leaderboard."""

    game: GameCard
    rows: list[BoardRow]


def interval_of(rating: Rating) -> float:
    """Return half the width of a rating's interval in Elo points."""
    return interval(rating.standard_error)


def rating_provisional(rating: Rating) -> bool:
    """Say whether a rating is still uncertain: by few matches, or by a wide interval."""
    return is_provisional(rating.standard_error, rating.games)


def board_page(*, game: str, chosen: BoardFilter = BoardFilter(), after: str = "", before: str = "") -> Board:
    """Return a page of a board (1 query).

    Args:
        game: name of the game.
        chosen: which bots.
        after: cursor of a row: the page below it; one that makes no sense gives the first page.
        before: cursor of a row: the page above it.
    """
    return Board(*_cut(partial(_part, game, chosen=chosen, limit=BOARD_PAGE_ROWS + 1), after, before))


@dataclass(frozen=True, slots=True)
class BoardNumbers:
    """The numbered pages of a board."""

    numbers: list[int | str]
    """To choose from, the first and the last among them; text where some are left out."""
    number: int
    """The page that is shown."""
    own: int | None
    """The page with the best of the reader's bots; None: there is none on this board."""
    own_bot: int | None
    """Its bot."""


def board_numbers(*, game: str, chosen: BoardFilter, page: Board, reader: Reader) -> BoardNumbers:
    """Return the numbered pages of a board (4 queries at most; none where all is on one page).

    Args:
        game: name of the game.
        chosen: which bots.
        page: the one that is shown.
        reader: who looks.
    """
    if not (page.newer or page.older):
        return BoardNumbers([1], 1, None, None)
    rows = _chosen(_listed(game), chosen)
    number = _page_of(rows, page.rows[0].rating) if page.newer else 1
    pages = Paginator(rows, BOARD_PAGE_ROWS)
    numbers = list(pages.get_elided_page_range(min(number, pages.num_pages), on_each_side=2, on_ends=1))
    own = rows.filter(version__bot__owner=reader.pk).first() if reader.pk else None
    return BoardNumbers(numbers, number, _page_of(rows, own) if own else None, own.version.bot_id if own else None)


def board_cursor(*, game: str, chosen: BoardFilter, number: str | None) -> str:
    """Return the cursor behind which a numbered page begins (2 queries); empty for the first, and for no number."""
    if number is None:
        return ""
    rows = _chosen(_listed(game), chosen)
    start = Paginator(rows, BOARD_PAGE_ROWS).get_page(number).start_index()
    return BoardRow(rows[start - 2]).cursor if start > 1 else ""


def _page_of(rows: QuerySet[Rating], row: Rating) -> int:
    return rows.filter(_above(row.rating, row.version_id)).count() // BOARD_PAGE_ROWS + 1


def _part(
    game: str,
    rating: float | None,
    version: int | None,
    *,
    chosen: BoardFilter,
    limit: int,
    above: bool = False,
) -> QuerySet[Rating]:
    """Return the first rows of a board, or those next to a place, the nearest first."""
    rows = _chosen(_listed(game), chosen)
    if rating is None or version is None:
        return rows[:limit]
    if above:
        return rows.filter(_above(rating, version)).order_by("rating", "-version")[:limit]
    return rows.filter(_below(rating, version))[:limit]


def _cut(part: Callable[..., QuerySet[Rating]], after: str, before: str) -> tuple[list[BoardRow], str, str]:
    """Return a page of rows and the cursors of the pages around it."""
    if before and (place := _place(before)):
        found = [BoardRow(row) for row in part(*place, above=True)]
        page = found[:BOARD_PAGE_ROWS][::-1]
        return page, page[0].cursor if len(found) > BOARD_PAGE_ROWS else "", page[-1].cursor if page else ""
    place = _place(after)
    found = [BoardRow(row) for row in part(*(place or (None, None)))]
    page = found[:BOARD_PAGE_ROWS]
    newer = page[0].cursor if place and page else ""
    return page, newer, page[-1].cursor if len(found) > BOARD_PAGE_ROWS else ""


def _place(cursor: str) -> tuple[float, int] | None:
    """Read a cursor; None for what is none: it stands in an address, where anybody may type."""
    rating, _, version = cursor.partition("_")
    try:
        place = float(rating), int(version)
    except ValueError:
        return None
    return place if math.isfinite(place[0]) and 0 <= place[1] < 2**63 else None


def _below(rating: float, version: int) -> Q:
    # The first condition alone lets the index find the place.
    return Q(rating__lte=rating) & (Q(rating__lt=rating) | Q(version__gt=version))


def _above(rating: float, version: int) -> Q:
    return Q(rating__gte=rating) & (Q(rating__gt=rating) | Q(version__lt=version))


def board_head(*, game: GameCard, limit: int) -> BoardHead:
    """Return the top of a game's board (1 query)."""
    return BoardHead(game, [BoardRow(row) for row in _listed(game.name)[:limit]])


def board_all(*, game: str, chosen: BoardFilter) -> list[BoardRow]:
    """Return all on a board, the best first (1 query)."""
    return [BoardRow(row) for row in _chosen(_listed(game), chosen)]


def board_fitted_at(*, game: str) -> datetime | None:
    """Return when a board was last fitted, or None before the first time (1 query)."""
    newest = Rating.objects.filter(game=game).order_by("-fitted_at").values_list("fitted_at", flat=True)
    return newest.first()


def version_rank(*, version: BotVersion) -> int | None:
    """Return a version's place on its board, or None while it has none (no query if its rating is there)."""
    rating = rating_of(version)
    return rating.rank if rating and version.state in BotVersion.ON_BOARD else None


def version_place(*, version: BotVersion) -> int | None:
    """Return a version's place among all on the board, those without a rank included; None before its first fit."""
    rating = rating_of(version)
    if version.state not in BotVersion.ON_BOARD or rating is None:
        return None
    return _listed(version.bot.game).filter(_above(rating.rating, version.pk)).count() + 1


def rating_of(version: BotVersion) -> Rating | None:
    """Return a version's rating, or None before the first fit that saw it."""
    rating: Rating | None = getattr(version, "rating", None)
    return rating


def _listed(game: str) -> QuerySet[Rating]:
    # A version that was withdrawn a moment ago is listed until the next fit.
    rows = Rating.objects.filter(game=game, listed=True, version__state__in=BotVersion.ON_BOARD)
    return rows.select_related("version__bot__owner").only(*_SHOWN).order_by("-rating", "version")


def _chosen(rows: QuerySet[Rating], chosen: BoardFilter) -> QuerySet[Rating]:
    if chosen.name:
        rows = rows.filter(version__bot__name_key__contains=name_key(chosen.name))
    if chosen.owner:
        rows = rows.filter(version__bot__owner__username__iexact=chosen.owner)
    if chosen.language:
        rows = rows.filter(version__language=chosen.language)
    if chosen.league is not None:
        rows = rows.filter(version__bot__league=chosen.league, version__bot__league_since__isnull=False)
    return rows
