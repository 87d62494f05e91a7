"""The protocol between referee and bot: lines of text.

Once, before the first turn: ``seat players width height``. Each turn: its number; for each seat ``x y`` of its light
cycle, -1 -1 if it rides no more; the rows of the grid, ``.`` for free cells or the seat whose trail it is; the number
of directions to choose from, at least 1, then these, one a line: those that do not crash at once, or all if all do.

Answer, one line: ``UP``, ``RIGHT``, ``DOWN`` or ``LEFT``, in upper or lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from banzuke.sdk import IllegalAnswer, quoted
from banzuke_tron.rules import DIRECTIONS, State, coordinates, legal

FIRST_CPU_MS, CPU_MS = 1_000, 100
"""CPU time for the first answer, and for each further one."""
_OWNERS = "".join([".#", "0123", *(str(seat) * 4 for seat in range(4))])
"""The character of each code of a cell, see ``rules``."""
SIGNS = ".#0123abcdefghijklmnop"
"""The character of each code of a cell in frames, with a letter for each seat and direction of a trail."""


def introduction(state: State, b: int, seat: int) -> list[str]:
    """Return the lines that a bot reads before the first turn."""
    height, width = state.grid
    return [f"{seat} {len(state.heads)} {width} {height}"]


def observation(state: State, b: int, seat: int) -> list[str]:
    """Return the lines of a question."""
    places = [
        "{} {}".format(*coordinates(state, spot)) if rides else "-1 -1"
        for spot, rides in zip(state.heads[:, b].tolist(), state.riding[:, b].tolist(), strict=True)
    ]
    choices = choices_of(state, b, seat)
    return [str(state.turn[b] + 1), *places, *rows(state, b), str(len(choices)), *choices]


def choices_of(state: State, b: int, seat: int) -> list[str]:
    """Return the names of the directions among which a seat chooses."""
    allowed = legal(state)[:, seat, b].tolist()
    return [name for name, free in zip(DIRECTIONS, allowed, strict=True) if free]


def rows(state: State, b: int, signs: str = _OWNERS) -> list[str]:
    """Return the rows of the grid of board b, a character of ``signs`` for each cell."""
    height, width = state.grid
    codes = state.cells[:, b].reshape(height + 2, width + 2)[1:-1, 1:-1]
    return ["".join(map(signs.__getitem__, row)) for row in codes.tolist()]


def parse(state: State, b: int, seat: int, lines: Sequence[str]) -> NDArray[np.int16]:
    """Return the index in ``DIRECTIONS`` of the direction that an answer names: (), 16 bits.

    Raises:
        IllegalAnswer: the answer names no direction, or has not one line.
    """
    if len(lines) != 1:
        raise IllegalAnswer("one-line", count=len(lines))
    word = lines[0].strip(" ").upper()
    if word not in DIRECTIONS:
        raise IllegalAnswer("no-direction", answer=quoted(lines[0]))
    return np.array(DIRECTIONS.index(word), np.int16)
