"""Random numbers drawn from the seed of a match: the same on every machine and in every release.

The generator is SplitMix64 (Steele, Lea, Flood 2014), because those of numpy may change with a release. If you change
this module, also change ``rules_version`` of every game that draws from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def draws(seed: int, start: int, count: int) -> NDArray[np.uint64]:
    """Return ``count`` numbers of a seed's endless row of random 64-bit numbers, (count,).

    The first is the one with the index ``start``, which is 0 or more. A seed is at least 0 and less than 2**64.
    """
    row: NDArray[np.uint64] = draws_of_each([seed], start, count)[0]
    return row


def draws_of_each(seeds: Sequence[int], start: int, count: int) -> NDArray[np.uint64]:
    """Return the result of ``draws`` for each of many seeds, (len(seeds), count)."""
    first = _mixed(np.array(seeds, np.uint64))[:, None]
    return _mixed(first + np.arange(start, start + count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def between(numbers: NDArray[np.uint64], low: int, high: int) -> NDArray[np.int64]:
    """Map random 64-bit numbers to numbers from low to high, both included, by their upper 32 bits.

    Some results are more likely than others by at most (high - low + 1) / 2**32 of their chance.
    """
    return ((numbers >> np.uint64(32)) * np.uint64(high - low + 1) >> np.uint64(32)).astype(np.int64) + low
