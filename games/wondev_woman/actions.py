"""Converts legal actions between numbers, bit sets (``words``), masks and text, and picks random ones."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.bits import selected
from games.wondev_woman.board import DIRECTIONS, WORDS, Bools, Planes

ACCEPT_DEFEAT: Final = -1
"""The number of the action that gives up."""
ACTIONS: Final = 64 * WORDS
"""All other actions have numbers from 0 to less than this."""
KINDS: Final = ("MOVE&BUILD", "PUSH&BUILD")


class Action(NamedTuple):
    """An action in readable form; ``str`` returns its line of the protocol."""

    kind: str
    """One of ``KINDS``."""
    unit: int
    first: str
    """Direction to the near cell, which is moved to or pushed from."""
    second: str
    """Direction from there to the far cell, which is built on or pushed to."""

    @property
    def number(self) -> int:
        """The number of the action. Raises KeyError if there is no such unit."""
        return _NUMBERS[str(self)]

    def __str__(self) -> str:
        return f"{self.kind} {self.unit} {self.first} {self.second}"


TEXTS: Final = np.array([str(Action(*parts)) for parts in product(KINDS, range(2), DIRECTIONS, DIRECTIONS)], np.object_)
"""(256,): the lines of the protocol by an action's number."""
_NUMBERS: Final = {text: number for number, text in enumerate(TEXTS)}


def lines(words: Planes) -> list[str]:
    """Return the lines of the actions in the words (4, 1) of one board, in order."""
    texts: list[str] = TEXTS[mask(words)[0]].tolist()
    return texts


def mask(words: Planes) -> Bools:
    """Return (B, 256): whether each action is in the words (4, B)."""
    octets: NDArray[np.uint8] = np.ascontiguousarray(words.T).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").view(np.bool_)


def count(words: Planes) -> NDArray[np.uint8]:
    """Return (B,): the number of actions in the words (4, B), at most 176: only 24 of 64 pushes have allowed steps."""
    total: NDArray[np.uint8] = np.bitwise_count(words).sum(axis=0, dtype=np.uint8)
    return total


def pick(words: Planes, fractions: NDArray[np.floating]) -> NDArray[np.int16]:
    """Return (B,): for each board one of the actions in its words (4, B), or ``ACCEPT_DEFEAT`` if there is none.

    Fractions (B,), 0 <= f < 1, select the action: of n actions, the one with index floor(f n). If they are evenly
    distributed, all actions are equally likely.
    """
    sums = np.cumsum(np.bitwise_count(words), axis=0, dtype=np.uint8)
    rank = (fractions * sums[-1]).astype(np.uint8)
    word, first, below = words[0], np.zeros(rank.shape, np.int64), np.zeros_like(rank)
    for nth, total in enumerate(sums[:-1], start=1):
        beyond = rank >= total
        word = np.where(beyond, words[nth], word)
        below = np.where(beyond, total, below)
        first += beyond
    chosen = (first << 6) + selected(word, rank - below)
    return np.where(sums[-1] == 0, ACCEPT_DEFEAT, chosen).astype(np.int16)
