"""Finds close matches among those that have just ended, and notes them for feeds and followers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import NamedTuple

from django.utils import timezone

from ladder.models import BotEvent
from ladder.services.events import event_new, events_create, today
from matches.models import Match, Seat
from matches.news import CLOSE_MATCH

RATING_GAP_MAX = 100.0
"""Elo points: bots whose ratings differ by more are no match for each other, however it ended."""
SCORE_GAP_MAX = 0.05
"""The most by which two scores may differ in a close match, as a share of the larger one."""
LOOKED_BACK = timedelta(seconds=90)
"""How long ago a match may have ended; longer than the pause between two looks, as results are committed later."""
MATCHES_AT_ONCE = 2_000
"""How many of the matches that have ended since are looked at, at most; the newest come first."""


class Place(NamedTuple):
    """A seat of a match, with all that decides whether it was close."""

    match: int
    bot: int
    name: str
    rank: int
    score: float | None
    verdict: str
    rating: float | None


def close_matches_note() -> None:
    """Note the close matches of the last moments: of each bot the first one of a day (3 queries, however many bots).

    A look may see a match twice, or miss one while the managers are overloaded: it is news, not a record.
    """
    ended = Match.objects.rated().filter(finished_at__gte=timezone.now() - LOOKED_BACK).order_by("-finished_at")
    seats = Seat.objects.filter(match__in=list(ended.values_list("pk", flat=True)[:MATCHES_AT_ONCE]))
    columns = ("match", "version__bot", "version__bot__name", "rank", "score", "verdict", "version__rating__rating")
    rows = (Place(*row) for row in seats.order_by("match", "rank", "index").values_list(*columns))
    events_create([event for _, places in groupby(rows, key=lambda row: row.match) for event in _events(list(places))])


def is_close(first: Place, second: Place) -> bool:
    """Return whether a match was close between its best two seats.

    It was if neither was at fault, their bots' ratings differ by at most ``RATING_GAP_MAX``, and they ended level or
    with scores that differ by at most ``SCORE_GAP_MAX`` of the larger one.
    """
    if first.verdict or second.verdict or first.rating is None or second.rating is None:
        return False
    if abs(first.rating - second.rating) > RATING_GAP_MAX:
        return False
    if first.rank == second.rank:
        return True
    if first.score is None or second.score is None:
        return False
    return abs(first.score - second.score) <= SCORE_GAP_MAX * max(abs(first.score), abs(second.score))


def _events(places: Sequence[Place]) -> Iterator[BotEvent]:
    first, second = places[:2]
    if not is_close(first, second):
        return
    for own, other, outcome in ((first, second, "won"), (second, first, "lost")):
        yield event_new(
            bot=own.bot,
            kind=CLOSE_MATCH,
            occasion=today(),
            outcome="level" if own.rank == other.rank else outcome,
            match=own.match,
            opponent=other.name,
            score=_points(own.score),
            other_score=_points(other.score),
        )


def _points(score: float | None) -> str:
    return "" if score is None else f"{score:.10g}"
