"""Ranks on a board, and how sure they are: a pure function of ratings and intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Standing(NamedTuple):
    """A place on a board, from 1."""

    rank: int
    best: int
    """One more than the bots whose interval lies wholly above its own."""
    worst: int
    """The number of bots, less those whose interval lies wholly below its own."""


def standings(ratings: Floats, intervals: Floats) -> list[Standing]:
    """Return the standing of each bot of a board.

    Args:
        ratings: (n,) Elo points; of two equal ones the earlier stands higher.
        intervals: (n,) half the width of each interval, Elo points.

    Returns:
        n standings, in the order of the ratings given.
    """
    count = len(ratings)
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(-ratings, kind="stable")] = np.arange(1, count + 1)
    low, high = ratings - intervals, ratings + intervals
    above = count - np.searchsorted(np.sort(low), high, side="right")
    below = np.searchsorted(np.sort(high), low, side="left")
    return [Standing(*map(int, row)) for row in zip(rank, above + 1, count - below, strict=True)]
