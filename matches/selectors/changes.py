"""What bots were rated when a match ended, and what it changed, about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import OuterRef, QuerySet, Subquery

from ladder.models import RatingPoint
from matches.models import Match, Seat
from rating import changes


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A seat's rating round a match."""

    rating: float
    """Before it, Elo points."""
    change: float | None
    """By the match, about; None: not all who played had a rating, or no fit has seen the match yet."""


def match_changes(*, match: Match) -> dict[int, SeatChange]:
    """Return what is known of each seat of a finished rated match (1 query), of any other nothing (no query).

    From the points of the ratings' history: the last before the match ended, and the first since.
    """
    if match.kind != Match.Kind.LADDER or match.state != Match.State.FINISHED:
        return {}
    points = RatingPoint.objects.filter(version=OuterRef("version"))
    rows = (
        Seat.objects.filter(match=match)
        .annotate(
            before=_first(points.filter(at__lt=match.finished_at).order_by("-at"), "rating"),
            # The fit that saw the version for the first time may have begun before the match ended, and ended after.
            error=_first(points.filter(at__gte=match.finished_at, games__gt=0).order_by("at"), "standard_error"),
        )
        .order_by("index")
        .values_list("index", "rank", "before", "error")
    )
    index, ranks, before, errors = zip(*rows, strict=True)
    moved = [None] * len(index) if None in (*ranks, *before, *errors) else _moved(ranks, before, errors)
    known = zip(index, before, moved, strict=True)
    return {seat: SeatChange(rating, change) for seat, rating, change in known if rating is not None}


def _first(points: QuerySet[RatingPoint], field: str) -> Subquery:
    return Subquery(points.values(field)[:1])


def _moved(ranks: tuple[int, ...], before: tuple[float, ...], errors: tuple[float, ...]) -> list[float]:
    moved: list[float] = changes(rating=np.array(before), se=np.array(errors), ranks=ranks).tolist()
    return moved
