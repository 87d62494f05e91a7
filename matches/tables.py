"""Tables of matches: what their rows show and no more, read in one query however long they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from ladder.models import BotVersion
from ladder.selectors.boards import rating_of
from ladder.text import is_row_number
from matches.filters import FEW_SEATS, MatchFilter, matches_of_seats
from matches.models import Match, Seat
from matches.selectors import matches_list

_SHOWN = (
    "match_id",
    "match__state",
    "match__created_at",
    "rank",
    "score",
    "verdict",
    "version__number",
    "version__bot_id",
    "version__bot__name",
)


@dataclass(frozen=True, slots=True)
class SeatCell:
    """One bot of a row."""

    rank: int | None
    score: float | None
    verdict: str
    version: int
    """Its number."""
    bot_id: int
    bot: str
    """Its name."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match."""

    pk: int
    state: str
    created_at: datetime
    seats: list[SeatCell]
    """The best first; in seat order while there is no result."""

    @property
    def state_title(self) -> str:
        """The state in words."""
        return str(Match.State(self.state).label)


@dataclass(frozen=True, slots=True)
class MatchesPage:
    """A page of a list of matches, the newest first."""

    matches: list[MatchRow]
    newer: int | None
    """The matches after this one are on the page before; None on the first."""
    older: int | None
    """The matches before this one are on the next page; None on the last."""


def match_rows(*, matches: QuerySet[Match], limit: int) -> list[MatchRow]:
    """Return the first of some matches, the newest of these first (1 query)."""
    chosen = matches.prefetch_related(None).values("pk")[:limit]
    cells = Seat.objects.filter(match__in=chosen).order_by("-match_id", "index").values_list(*_SHOWN)
    return [_row(pk, list(own)) for pk, own in groupby(cells, key=lambda cell: cell[0])]


def _row(pk: int, cells: Sequence[Any]) -> MatchRow:
    _, state, created_at, *_ = cells[0]
    seats: Iterable[SeatCell] = (SeatCell(*cell[3:]) for cell in cells)
    return MatchRow(pk, state, created_at, sorted(seats, key=lambda seat: seat.rank or 0))


def matches_page(*, matches: QuerySet[Match], rows: int, before: str = "", after: str = "") -> MatchesPage:
    """Return a page of ``matches_list``, without counting all of them (1 query).

    Args:
        matches: the list.
        rows: of a page.
        before: number of a match: the page of those before it; one that makes no sense gives the first page.
        after: number of a match: the page of those after it.
    """
    if is_row_number(after) and not is_row_number(before):
        found = match_rows(matches=matches.filter(pk__gt=int(after)).reverse(), limit=rows + 1)
        page = found[-rows:]
        return MatchesPage(page, page[0].pk if len(found) > rows else None, page[-1].pk if page else None)
    found = match_rows(matches=matches.filter(pk__lt=int(before)) if is_row_number(before) else matches, limit=rows + 1)
    page = found[:rows]
    newer = page[0].pk if is_row_number(before) and page else None
    return MatchesPage(page, newer, page[-1].pk if len(found) > rows else None)


def matches_recent(*, game: str = "", versions: Sequence[BotVersion] | None = None, limit: int = 10) -> list[MatchRow]:
    """Return the newest matches of a game or of some versions, with their ratings, for a short table (1 query)."""
    matches = matches_list(chosen=MatchFilter(game=game))
    if versions is not None:
        ratings = [rating for version in versions if (rating := rating_of(version))]
        seats = Seat.objects.filter(version__in=[version.pk for version in versions])
        matches = matches_of_seats(matches, seats, few=sum(rating.games for rating in ratings) <= FEW_SEATS)
    return match_rows(matches=matches, limit=limit)
