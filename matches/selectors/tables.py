"""Tables of matches, read in one query with no more columns than the rows show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from common.queries.compiled import CompiledQuery
from common.text import is_row_number
from contests.selectors.visibility import shown_to
from ladder.models import BotVersion
from ladder.selectors.ratings import rating_of
from matches.models import Match, Seat

_SHOWN = (
    "match_id",
    "match__contest__title",
    "match__game",
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
    """A bot in a row of the table."""

    rank: int | None
    score: float | None
    verdict: str
    version: int
    """Number of its version."""
    bot_id: int
    bot: str
    """Name of the bot."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A row of the table: one match."""

    pk: int
    contest: str
    """Title of the contest; empty for an open contest."""
    game: str
    state: str
    created_at: datetime
    seats: list[SeatCell]
    """The best first; in seat order while there is no result."""

    @property
    def state_title(self) -> str:
        """The state, translated."""
        return str(Match.State(self.state).label)


@dataclass(frozen=True, slots=True)
class MatchesPage:
    """A page of a list of matches, the newest first."""

    matches: list[MatchRow]
    newer: int | None
    """Key of a match: newer matches than this one are on the previous page. None on the first page."""
    older: int | None
    """Key of a match: older matches than this one are on the next page. None on the last page."""


def _cells(matches: QuerySet[Match], limit: int, skipped: int = 0) -> QuerySet[Seat, tuple[Any, ...]]:
    chosen = matches.prefetch_related(None).values("pk")[skipped : skipped + limit]
    return Seat.objects.filter(match__in=chosen).order_by("-match_id", "index").values_list(*_SHOWN)


def _rows(cells: Iterable[tuple[Any, ...]]) -> list[MatchRow]:
    rows = []
    for (pk, contest, game, state, created_at), own in groupby(cells, key=lambda cell: cell[:5]):
        seats = sorted((SeatCell(*cell[5:]) for cell in own), key=lambda seat: seat.rank or 0)
        rows.append(MatchRow(pk, contest, game, state, created_at, seats))
    return rows


def matches_page(
    *, matches: QuerySet[Match], rows: int, number: int = 1, before: str = "", after: str = ""
) -> MatchesPage:
    """Return a page of ``matches_list`` with up to ``rows`` matches, without counting all matches (1 query).

    ``before`` and ``after`` are keys of matches, as text: the page has the next older matches than ``before``, or the
    next newer ones than ``after``. If neither is a number, it is page ``number``, from 1 for the newest.
    """
    last, first = (int(text) if is_row_number(text) else None for text in (before, after))
    from_newest = last is None and first is None
    if last is not None:
        matches = matches.filter(pk__lt=last)
    elif first is not None:
        matches = matches.filter(pk__gt=first).reverse()
    found = _rows(_cells(matches, rows + 1, (number - 1) * rows if from_newest else 0))
    if first is not None and last is None:
        page = found[-rows:]
        return MatchesPage(page, page[0].pk if len(found) > rows else None, page[-1].pk if page else None)
    page = found[:rows]
    newer = page[0].pk if page and (last is not None or number > 1) else None
    return MatchesPage(page, newer, page[-1].pk if len(found) > rows else None)


def matches_recent(
    *, contest: str = "", versions: Sequence[BotVersion] | None = None, limit: int = 10
) -> list[MatchRow]:
    """Return the newest rated matches for a short table (1 query).

    Without ``versions`` matches that wait are left out: the queue is always full, and longer than the table.

    Args:
        contest: only matches of the contest with this key; empty: of all that are public. Used without ``versions``.
        versions: only matches of these versions, waiting or not. They come with their ratings, and those of one bot
            newest first.
        limit: how many matches at most.
    """
    if versions is None:
        # The page of a contest has looked whether its reader may see it.
        of_contests = Q(contest=contest) if contest else shown_to(None)
        begun = Match.objects.filter(of_contests, kind=Match.Kind.LADDER).exclude(state=Match.State.QUEUED)
        return _rows(_cells(begun.order_by("-id"), limit))
    pks = _last_to_play(versions, limit)
    return _rows(_of_versions.rows(pks, limit=limit)) if pks else []


def _last_to_play(versions: Sequence[BotVersion], matches: int) -> list[int]:
    """Return the keys of the newest versions of each bot that together have at least ``matches`` matches.

    Older versions cannot have newer matches: a version begins to play when the one before has stopped.
    """
    left, played = [], Counter[int]()
    for version in versions:
        if version.state in _PLAYS_OR_PLAYED and played[version.bot_id] < matches:
            left.append(version.pk)
            rating = rating_of(version)
            played[version.bot_id] += rating.games if rating else 0
    return left


_PLAYS_OR_PLAYED = (*BotVersion.ON_BOARD, BotVersion.State.RETIRED)

# Each part of the union reads an index of seats and stops at the limit, however many matches there are. Django cannot
# express that: on SQLite it limits no parts of a union, and it reads the kind of a match by a join, which reads all
# seats first.
_OF_ONE_VERSION = (
    "SELECT * FROM (SELECT s.match_id FROM matches_seat s WHERE s.version_id = %s"
    " AND (SELECT m.kind FROM matches_match m WHERE m.id = s.match_id) = 'ladder' ORDER BY s.match_id DESC LIMIT %s"
    ") AS own"
)


def _of_versions_query(versions: list[int], *, limit: int) -> QuerySet[Seat, tuple[Any, ...]]:
    parts = " UNION ALL ".join([_OF_ONE_VERSION] * len(versions))
    newest = f"SELECT DISTINCT match_id FROM ({parts}) AS newest ORDER BY match_id DESC LIMIT %s"  # noqa: S608 - ours
    values = [value for version in versions for value in (version, limit)]
    chosen = RawSQL(newest, [*values, limit])  # noqa: S611 - as above
    return Seat.objects.filter(match__in=chosen).order_by("-match_id", "index").values_list(*_SHOWN)


_of_versions = CompiledQuery(_of_versions_query)
