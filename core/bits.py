"""Selects set bits of 64-bit words by their rank."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_OCTETS: Final = np.uint64(0x0101010101010101)
"""Multiplying a number from 0 to 255 by this writes it into all octets."""
_HIGH_BITS: Final = np.uint64(0x8080808080808080)
"""The highest bit of each octet."""
# numpy converts no constants of its own type, which saves time on a single board.
_ONE, _THREE, _EIGHT, _SIXTY_FOUR, _OCTET = np.array([1, 3, 8, 64, 0xFF], np.uint64)


def _select_table() -> NDArray[np.uint64]:
    table = np.zeros((256, 8), np.uint64)
    for octet in range(256):
        bits = [bit for bit in range(8) if octet >> bit & 1]
        table[octet, : len(bits)] = bits
    return table.reshape(-1)


_NTH_BIT = _select_table()
"""The position of the set bit of rank r in an octet, at index 8 * octet + r."""


def selected(words: NDArray[np.uint64], ranks: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the position, in each word, of the set bit of a rank; both are counted from 0.

    After Vigna, "Broadword implementation of rank/select queries" (2008), with a table for the last step.
    """
    ranks = ranks.astype(np.uint64)
    counts = np.bitwise_count(words.view(np.uint8)).view(np.uint64)  # of set bits in each octet
    sums = counts * _OCTETS  # of set bits in each octet and all lower ones
    # The highest bit of an octet stays set if its sum is greater than the rank; no octet borrows from the next one.
    beyond = ((sums | _HIGH_BITS) - (ranks + _ONE) * _OCTETS) & _HIGH_BITS
    shift = _SIXTY_FOUR - (np.bitwise_count(beyond).astype(np.uint64) << _THREE)
    octet = words >> shift & _OCTET
    below = (sums << _EIGHT) >> shift & _OCTET
    places: NDArray[np.uint64] = shift + _NTH_BIT.take(((octet << _THREE) + ranks - below).view(np.int64))
    return places.view(np.int64)
