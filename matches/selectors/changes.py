"""The ratings that bots had when a match ended, and by about how much the match changed them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import OuterRef, QuerySet, Subquery

from ladder.models import RatingPoint
from matches.models import Match, Seat
from rating.change import changes


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A seat's rating before a match, and its change."""

    rating: float
    """The seat's rating before the match, Elo points."""
    change: float | None
    """By about how many Elo points the match changed it; None if a seat has no rating yet, or no fit contains the match
    yet."""


def match_changes(*, match: Match) -> dict[int, SeatChange]:
    """Return rating and change of the seats of a finished rated match, by index (1 query); empty for other matches.

    They come from the history of ratings: the last point before the match ended, and the first since. Seats without a
    rating before the match are left out.
    """
    if match.kind != Match.Kind.LADDER or match.state != Match.State.FINISHED:
        return {}
    points = RatingPoint.objects.filter(version=OuterRef("version"))
    rows = (
        Seat.objects.filter(match=match)
        .annotate(
            before=_first(points.filter(at__lt=match.finished_at).order_by("-at"), "rating"),
            # With games: the first fit of a version may have begun before the match ended, and ended after it.
            error=_first(points.filter(at__gte=match.finished_at, games__gt=0).order_by("at"), "standard_error"),
        )
        .order_by("index")
        .values_list("index", "rank", "before", "error")
    )
    index, ranks, before, errors = zip(*rows, strict=True)
    moved = [None] * len(index)
    if None not in (*ranks, *before, *errors):
        moved = changes(rating=np.array(before), se=np.array(errors), ranks=ranks).tolist()
    known = zip(index, before, moved, strict=True)
    return {seat: SeatChange(rating, change) for seat, rating, change in known if rating is not None}


def _first(points: QuerySet[RatingPoint], field: str) -> Subquery:
    return Subquery(points.values(field)[:1])
