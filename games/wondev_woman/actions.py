"""Legal actions as numbers, masks, text, and by chance."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.wondev_woman.board import DIRECTIONS, WORDS, Bools, Ints, Planes, looked_up

ACCEPT_DEFEAT: Final = -1
"""The action of giving up."""
ACTIONS: Final = 64 * WORDS
"""Actions are numbers less than this."""
KINDS: Final = ("MOVE&BUILD", "PUSH&BUILD")


class Action(NamedTuple):
    """An action in words."""

    kind: str
    """One of ``KINDS``."""
    unit: int
    first: str
    """Direction to the near cell, which is moved to or pushed from."""
    second: str
    """Direction from there to the far cell, which is built on or pushed to."""

    @property
    def number(self) -> int:
        """Its number, if there is such a unit."""
        return _NUMBERS[str(self)]

    def __str__(self) -> str:
        return f"{self.kind} {self.unit} {self.first} {self.second}"


TEXTS: Final = np.array([str(Action(*parts)) for parts in product(KINDS, range(2), DIRECTIONS, DIRECTIONS)], np.object_)
"""(256,): the lines of the protocol by an action's number."""
_NUMBERS: Final = {text: number for number, text in enumerate(TEXTS)}


def lines(words: Planes) -> list[str]:
    """Return the actions that the words (4, 1) of one board hold, in order."""
    texts: list[str] = TEXTS[mask(words)[0]].tolist()
    return texts


def mask(words: Planes) -> Bools:
    """Return (B, 256): whether each action is in the words (4, B)."""
    octets: NDArray[np.uint8] = np.ascontiguousarray(words.T).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").view(np.bool_)


def count(words: Planes) -> NDArray[np.uint8]:
    """Return (B,): how many actions the words (4, B) have. 176 at most, as only 24 of 64 pushes have fitting steps."""
    total: NDArray[np.uint8] = np.bitwise_count(words).sum(axis=0, dtype=np.uint8)
    return total


def pick(words: Planes, fractions: NDArray[np.floating]) -> NDArray[np.int16]:
    """Return (B,): for each board one of the actions in its words (4, B), ``ACCEPT_DEFEAT`` if there is none.

    Args:
        words: of legal actions.
        fractions: (B,), 0 <= f < 1: which action, by order. Evenly drawn, each action is as likely as the others, to
            within the resolution of the fractions.
    """
    sums = np.cumsum(np.bitwise_count(words), axis=0, dtype=np.uint8)
    rank = (fractions * sums[-1]).astype(np.uint8)
    word, first, below = words[0], np.zeros(rank.shape, np.int64), np.zeros_like(rank)
    for nth, total in enumerate(sums[:-1], start=1):
        beyond = rank >= total
        word = np.where(beyond, words[nth], word)
        below = np.where(beyond, total, below)
        first += beyond
    chosen = (first << 6) + _selected(word, rank - below)
    return np.where(sums[-1] == 0, ACCEPT_DEFEAT, chosen).astype(np.int16)


_OCTETS: Final = np.uint64(0x0101010101010101)
"""A number from 0 to 255 times this stands in all octets."""
_SIGNS: Final = np.uint64(0x8080808080808080)
_ONE, _THREE, _EIGHT, _SIXTY_FOUR, _OCTET = np.array([1, 3, 8, 64, 0xFF], np.uint64)


def _select_table() -> NDArray[np.uint64]:
    table = np.zeros((256, 8), np.uint64)
    for octet in range(256):
        bits = [bit for bit in range(8) if octet >> bit & 1]
        table[octet, : len(bits)] = bits
    return table.reshape(-1)


_NTH_BIT = _select_table()
"""The place of a bit by 8 * octet + its rank among the set ones."""


def _selected(words: Planes, ranks: Ints) -> NDArray[np.int64]:
    """Return the place of the set bit of each rank, counted from 0.

    After Vigna, "Broadword implementation of rank/select queries" (2008), with a table for the last step.
    """
    ranks = ranks.astype(np.uint64)
    counts = np.bitwise_count(words.view(np.uint8)).view(np.uint64)  # of each octet
    sums = counts * _OCTETS  # of each octet and those below
    # An octet keeps its sign if its sum is more than the rank; nothing is borrowed from the next octet.
    beyond = ((sums | _SIGNS) - (ranks + _ONE) * _OCTETS) & _SIGNS
    shift = _SIXTY_FOUR - (np.bitwise_count(beyond).astype(np.uint64) << _THREE)
    octet = words >> shift & _OCTET
    below = (sums << _EIGHT) >> shift & _OCTET
    places: Planes = shift + looked_up(_NTH_BIT, (octet << _THREE) + ranks - below)
    return places.view(np.int64)
