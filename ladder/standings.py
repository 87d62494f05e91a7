"""Ranks on a board and their uncertainty, computed from ratings and intervals alone (no database)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Standing(NamedTuple):
    """The rank of a bot on a board, from 1, and the range that its interval leaves open."""

    rank: int
    best: int
    """1 + the number of bots whose whole interval lies above this bot's interval."""
    worst: int
    """The number of bots, minus those whose whole interval lies below this bot's interval."""


def standings(ratings: Floats, intervals: Floats) -> list[Standing]:
    """Return the standing of each bot of a board.

    Args:
        ratings: (n,) Elo points; of two equal ratings the earlier one ranks higher.
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
