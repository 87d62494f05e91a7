"""The rated results of a contest as arrays, cached in this process: a refit reads only new results from the database.

The cache is checked each time. The statement that reads the newest results also reads the count of all rated matches
and the sum of their keys. If the cached results with the new ones have another count or sum, for instance because a
match has become void, all results are read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from threading import Lock
from typing import Any

import numpy as np
from django.db.models import Count, Max, QuerySet, Subquery, Sum
from django.db.models.functions import JSONArray

from matches.models import Match, Seat
from rating.orders import Ints, Results

OVERLAP = timedelta(seconds=60)
"""Results that ended within this time before the newest are read again: they are not committed in the order of their
ends."""
_CHUNK_ROWS = 20_000
_COLUMNS = ("match_id", "index", "version_id", "rank")

_kept: dict[str, RatedResults] = {}
_lock = Lock()


@dataclass(frozen=True, slots=True)
class RatedResults:
    """The rated results of a contest at one moment. Bots at fault have the last rank."""

    seats: Ints
    """(4, S): key of the match, index of the seat, key of the version, rank; a match's seats are adjacent, in order."""
    ended: dict[int, datetime]
    """For each version, when its last match ended."""

    def tables(self) -> list[Results]:
        """Return the results, one object for each number of players; players are given by keys of versions."""
        match, _, versions, ranks = self.seats
        first = np.flatnonzero(np.diff(match, prepend=-1))
        players = np.diff(first, append=len(match))
        rows = [first[players == m][:, None] + np.arange(m) for m in np.unique(players)]
        return [Results(versions[seats], ranks[seats]) for seats in rows]

    def games(self) -> dict[int, int]:
        """Return how many matches each version has played."""
        versions, counts = np.unique(self.seats[2], return_counts=True)
        return dict(zip(versions.tolist(), counts.tolist(), strict=True))

    def matches(self) -> Ints:
        """Return the key of each match, (N,)."""
        return np.asarray(self.seats[0][self.seats[1] == 0])


def results_read(*, contest: str, until: datetime | None = None) -> RatedResults:
    """Read all rated results of a contest from the database, or those that ended until a moment (2 queries)."""
    seats = _seats(contest) if until is None else _seats(contest).filter(match__finished_at__lte=until)
    last = dict(seats.values_list("version").annotate(Max("match__finished_at")))
    # After the ends: a match that ends between the two queries is read again next time, being newer than the last end.
    return RatedResults(_sorted(_columns(seats.values_list(*_COLUMNS).iterator(_CHUNK_ROWS))), last)


def results_current(*, contest: str) -> RatedResults:
    """Return all rated results of a contest, of which only the new ones are read if others are cached (1 query)."""
    with _lock:
        known = _kept.get(contest)
        current = (known and _advanced(known, contest)) or results_read(contest=contest)
        _kept[contest] = current
        return current


def results_forget() -> None:
    """Empty the cache, as when the database is another one (in tests)."""
    with _lock:
        _kept.clear()


def _seats(contest: str) -> QuerySet[Seat]:
    return Seat.objects.filter(match__in=Match.objects.rated().filter(contest=contest)).order_by()


def _advanced(known: RatedResults, contest: str) -> RatedResults | None:
    """Return the cached results with the new ones, or None if these are not all rated results of the contest."""
    if not known.ended:
        return None
    total = (
        Match.objects.rated()
        .filter(contest=contest)
        .values("contest")
        .annotate(total=JSONArray(Count("pk"), Sum("pk")))
    )
    since = max(known.ended.values()) - OVERLAP
    newest = _seats(contest).filter(match__finished_at__gte=since)
    rows = list(
        newest.annotate(total=Subquery(total.values("total"))).values_list(*_COLUMNS, "match__finished_at", "total")
    )
    if not rows:  # the newest matches have become void
        return None
    joined = _joined(known, rows)
    matches = joined.matches()
    return joined if [len(matches), matches.sum()] == rows[0][-1] else None


def _joined(known: RatedResults, rows: Sequence[tuple[Any, ...]]) -> RatedResults:
    """Return cached results joined with rows of seats; where both have a match, the row that was just read counts."""
    read = _sorted(_columns(row[:4] for row in rows))
    # Nearly all cached matches are older than the new rows, and need not be searched.
    again = np.zeros(known.seats.shape[1], dtype=bool)
    recent = np.flatnonzero(known.seats[0] >= read[0].min())
    again[recent] = np.isin(known.seats[0][recent], read[0])
    ended = dict(known.ended)
    for _, _, version, _, at, *_ in rows:
        ended[version] = max(at, ended.get(version, at))
    return RatedResults(np.concatenate([known.seats[:, ~again], read], axis=1), ended)


def _columns(rows: Iterable[tuple[int, ...]]) -> Ints:
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64)
    return np.ascontiguousarray(flat.reshape(-1, len(_COLUMNS)).T)


def _sorted(seats: Ints) -> Ints:
    """Put the seats of a match together, in their order."""
    return np.ascontiguousarray(seats[:, np.lexsort((seats[1], seats[0]))])
