"""Reads the leaderboard of a contest, as the last fit has stored it (``ladder.services.standings``).

A board lists versions by rating. A version has a rank from its first rated match on, however wide its interval is; the
versions without one stand at the end. A row also shows the interval, the range of ranks that it leaves open, and a mark
while the rating is uncertain.

Pages are cut by rating, not by row number: the next page begins below the last row that the reader has seen, even when
new rows have come in above it since.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet

from accounts.access import Reader
from common.names import name_key
from common.queries.cached import cached
from common.text import is_row_number
from contests.models import Contest
from ladder.leagues import league_name
from ladder.models import BotVersion, Rating
from ladder.selectors.bots import bots_own, owned_by
from ladder.selectors.ratings import interval_of, rating_of, rating_provisional

BOARD_PAGE_ROWS = 30

_SHOWN = (
    "rating",
    "board_rating",
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
    "version__bot__team__name",
)
"""The columns that a row shows; leaves out the build log of the version, which can be large."""

_ORDER = ("-board_rating", "version_id")
"""Not ``version``: Django would take the order of its model, which no index of ratings has."""


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """Which bots of a contest a board shows; an empty field matches all bots."""

    name: str = ""
    """Part of the bot's name, in any case."""
    owner: str = ""
    """The whole name of a user or team, in any case."""
    language: str = ""
    league: int | None = None

    def __bool__(self) -> bool:
        """Return whether any field is set."""
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
        """The rank from 1; None while the version has played no rated match."""
        return self.rating.rank

    @property
    def provisional(self) -> bool:
        """Whether the rating is still uncertain: few matches, or a wide interval."""
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
    def league_gate(self) -> str:
        """Name of the league for which the bot is the league gate (its boss); empty for all other bots."""
        boss_of = self.version.bot.boss_of
        return "" if boss_of is None else league_name(boss_of)

    @property
    def cursor(self) -> str:
        """The position of this row, for the arguments ``after`` and ``before`` of ``board_page``."""
        return _cursor(self.rating.board_rating, self.rating.version_id)


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a contest's leaderboard."""

    rows: list[BoardRow]
    newer: str
    """Cursor for ``before`` that leads to the page above; empty on the first page."""
    older: str
    """Cursor for ``after`` that leads to the page below; empty on the last page."""


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The top of a contest's leaderboard."""

    contest: Contest
    rows: list[BoardRow]


def board_page(*, contest: str, chosen: BoardFilter = BoardFilter(), after: str = "", before: str = "") -> BoardPage:
    """Return a page of a board (1 query).

    Args:
        contest: key of the contest.
        chosen: which bots the board shows.
        after: cursor of a row, for the page below it; an invalid cursor gives the first page.
        before: cursor of a row, for the page above it.
    """
    rows, limit = _filtered(_listed(contest), chosen), BOARD_PAGE_ROWS + 1
    if before and (place := _place(before)):
        found = [BoardRow(row) for row in rows.filter(_above(*place)).order_by("board_rating", "-version_id")[:limit]]
        page = found[:BOARD_PAGE_ROWS][::-1]
        return BoardPage(page, page[0].cursor if len(found) == limit else "", page[-1].cursor if page else "")
    place = _place(after)
    if place:
        rating, version = place
        # As in `_above`, the first condition is there for the index.
        rows = rows.filter(Q(board_rating__lt=rating) | Q(version__gt=version), board_rating__lte=rating)
    found = [BoardRow(row) for row in rows[:limit]]
    page = found[:BOARD_PAGE_ROWS]
    return BoardPage(page, page[0].cursor if place and page else "", page[-1].cursor if len(found) == limit else "")


@dataclass(frozen=True, slots=True)
class BoardStart:
    """Where a numbered page of a board begins."""

    number: int
    """The number of the page, from 1."""
    after: str
    """Cursor for ``after`` of ``board_page``; empty for the first page."""
    count: int
    """How many bots the whole board shows."""


def board_start(*, contest: str, chosen: BoardFilter, number: str = "", bot: str = "") -> BoardStart | None:
    """Return where a page begins that is asked for by its number or by a bot on it (4 queries at most).

    Args:
        contest: key of the contest.
        chosen: which bots the board shows.
        number: the number of a page, as typed into a url; beyond the board it means the last one, and text that is no
            number the first.
        bot: the key of a bot, as typed into a url; it goes before the number.

    Returns:
        None if neither is given, or the bot is not on the board.
    """
    rows = _places(contest, chosen)
    if bot:
        place = rows.filter(version__bot=int(bot)).first() if is_row_number(bot) else None
        if place is None:
            return None
        number = str(_page_of(rows, *place))
    if not number:
        return None
    page = Paginator(rows, BOARD_PAGE_ROWS).get_page(number)
    start = page.start_index() - 1
    last = rows[start - 1 : start].first() if start > 0 else None
    return BoardStart(page.number if last else 1, _cursor(*last) if last else "", page.paginator.count)


@dataclass(frozen=True, slots=True)
class BoardNumbers:
    """The page numbers below a board."""

    numbers: list[int | str]
    """Numbers to link to, always with the first and the last; a text ("…") stands for numbers that are left out."""
    number: int
    """Number of the page that is shown."""
    last: int
    """Number of the last page."""
    count: int
    """How many bots the whole board shows."""


def board_numbers(
    *, contest: str, chosen: BoardFilter, page: BoardPage, start: BoardStart | None = None
) -> BoardNumbers:
    """Return the page numbers of a board (2 queries at most; none if the board has one page, or with ``start``).

    Without a filter the number of bots may be some seconds old, so that mostly no query counts them.

    Args:
        contest: key of the contest.
        chosen: which bots the board shows.
        page: the page that is shown.
        start: where it begins, if it was asked for by its number or a bot on it.
    """
    if not (page.newer or page.older):
        return BoardNumbers([1], 1, 1, len(page.rows))
    rows = _places(contest, chosen)
    if start:
        number, count = start.number, start.count
    else:
        first = page.rows[0].rating
        number = _page_of(rows, first.board_rating, first.version_id) if page.newer else 1
        count = rows.count() if chosen else cached(_counts).get(contest, len(page.rows))
    pages = Paginator(range(count), BOARD_PAGE_ROWS)
    numbers = list(pages.get_elided_page_range(min(number, pages.num_pages), on_each_side=2, on_ends=1))
    return BoardNumbers(numbers, number, pages.num_pages, count)


def _counts() -> dict[str, int]:
    rows = Rating.objects.filter(listed=True).order_by().values_list("contest").annotate(Count("pk"))
    return dict(rows)


def board_own(*, contest: str, reader: Reader) -> list[BoardRow]:
    """Return the rows of a reader's own bots on a board, the best first (2 queries at most; none for visitors)."""
    if reader.pk is None:
        return []
    # The bots first: ordered by rating, the database would look through the whole board for them.
    own = list(bots_own(reader=reader).filter(contest=contest).values_list("pk", flat=True))
    rows = _listed(contest).filter(version__bot__in=own).order_by() if own else []
    return sorted(map(BoardRow, rows), key=lambda row: (-row.rating.board_rating, row.rating.version_id))


def _places(contest: str, chosen: BoardFilter) -> QuerySet[Rating, tuple[float, int]]:
    """Return only what a cursor needs of each row, to count rows and to find one far down.

    Without a filter it is read from the index of ratings alone, as of the last fit: it may have versions that were
    withdrawn in the seconds since.
    """
    rows = _filtered(_listed(contest), chosen) if chosen else Rating.objects.filter(contest=contest, listed=True)
    return rows.order_by(*_ORDER).values_list("board_rating", "version_id")


def _page_of(rows: QuerySet[Rating, Any], rating: float, version: int) -> int:
    return rows.filter(_above(rating, version)).count() // BOARD_PAGE_ROWS + 1


def _cursor(rating: float, version: int) -> str:
    return f"{rating!r}_{version}"


def _place(cursor: str) -> tuple[float, int] | None:
    """Return the rating and the version key in a cursor; None if it is invalid (anybody can type one into a url)."""
    rating, _, version = cursor.partition("_")
    try:
        place = float(rating), int(version)
    except ValueError:
        return None
    return place if math.isfinite(place[0]) and 0 <= place[1] < 2**63 else None


def _above(rating: float, version: int) -> Q:
    # The first condition is redundant, but lets the database use the index on the board's ratings.
    return Q(board_rating__gte=rating) & (Q(board_rating__gt=rating) | Q(version__lt=version))


def board_head(*, contest: Contest, limit: int) -> BoardHead:
    """Return the first ``limit`` rows of a contest's board (1 query)."""
    return BoardHead(contest, [BoardRow(row) for row in _listed(contest.slug)[:limit]])


def board_all(*, contest: str, chosen: BoardFilter) -> list[BoardRow]:
    """Return all rows of a board, the best first (1 query)."""
    return [BoardRow(row) for row in _filtered(_listed(contest), chosen)]


def board_fitted_at(*, contest: str) -> datetime | None:
    """Return the time of a board's last fit, or None before the first (1 query)."""
    newest = Rating.objects.filter(contest=contest).order_by("-fitted_at").values_list("fitted_at", flat=True)
    return newest.first()


def version_rank(*, version: BotVersion) -> int | None:
    """Return a version's rank on its board, or None while it has none (no query if its rating was selected with it)."""
    rating = rating_of(version)
    return rating.rank if rating and version.state in BotVersion.ON_BOARD else None


def version_place(*, version: BotVersion) -> int | None:
    """Return the number of a version's row on its board: its rank, or where it stands behind all that have one.

    None before its first fit, and for a version that is not on the board (1 query at most, none with a rank).
    """
    rating = rating_of(version)
    if version.state not in BotVersion.ON_BOARD or rating is None:
        return None
    if rating.rank:
        return rating.rank
    return _listed(version.bot.contest_id).filter(_above(rating.board_rating, version.pk)).count() + 1


def _listed(contest: str) -> QuerySet[Rating]:
    # `listed` is as of the last fit: a version may have been withdrawn since.
    rows = Rating.objects.filter(contest=contest, listed=True, version__state__in=BotVersion.ON_BOARD)
    return rows.select_related("version__bot__owner", "version__bot__team").only(*_SHOWN).order_by(*_ORDER)


def _filtered(rows: QuerySet[Rating], chosen: BoardFilter) -> QuerySet[Rating]:
    if chosen.name:
        rows = rows.filter(version__bot__name_key__contains=name_key(chosen.name))
    if chosen.owner:
        rows = rows.filter(owned_by(name=chosen.owner, prefix="version__bot__"))
    if chosen.language:
        rows = rows.filter(version__language=chosen.language)
    if chosen.league is not None:
        rows = rows.filter(version__bot__league=chosen.league, version__bot__league_since__isnull=False)
    return rows
