"""Numbers drawn from a match's seed: the same on every machine, for ever.

SplitMix64 (Steele, Lea, Flood 2014) in plain integers: numpy's own generators may change with a release. A change here
is a change of the rules' version of every game that draws.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def draws(seed: int, start: int, count: int) -> NDArray[np.uint64]:
    """Return numbers start to start + count of the seed's endless row of 64-bit numbers.

    Args:
        seed: 0 <= seed < 2**64.
        start: of the first number, 0 or more.
        count: how many.
    """
    row: NDArray[np.uint64] = draws_of_each([seed], start, count)[0]
    return row


def draws_of_each(seeds: Sequence[int], start: int, count: int) -> NDArray[np.uint64]:
    """Return ``draws`` of many seeds, (len(seeds), count)."""
    first = _mixed(np.array(seeds, np.uint64))[:, None]
    return _mixed(first + np.arange(start, start + count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def between(numbers: NDArray[np.uint64], low: int, high: int) -> NDArray[np.int64]:
    """Turn 64-bit numbers into numbers from low to high, by their upper halves.

    The bias is below (high - low + 1) / 2**32.
    """
    return ((numbers >> np.uint64(32)) * np.uint64(high - low + 1) >> np.uint64(32)).astype(np.int64) + low
