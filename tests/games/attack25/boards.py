"""Boards for tests, in the form of the plain reference and as batches of planes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from games.attack25.panels import PANELS, Plane, pack, unpack
from tests.games.attack25.plain import Board, legal, take

SEATS = 4

boards = st.dictionaries(st.integers(1, PANELS), st.integers(0, SEATS - 1))
"""Return any board, also one that no match leads to."""


@st.composite
def played(draw: st.DrawFn) -> Board:
    """Return a board that a sequence of takes leads to."""
    board: Board = {}
    for colour in draw(st.lists(st.integers(0, SEATS - 1), max_size=PANELS)):
        take(board, colour, draw(st.sampled_from(legal(board, colour)[1])))
    return board


def owned(batch: Sequence[Board]) -> Plane:
    """Return (4, 26, K): the planes of a batch of boards."""
    flags = np.zeros((SEATS, PANELS + 1, len(batch)), np.bool_)
    for b, board in enumerate(batch):
        for panel, colour in board.items():
            flags[colour, panel, b] = True
    return pack(flags)


def members(plane: Plane, count: int) -> list[list[int]]:
    """Return the panels of a plane, board by board."""
    return [np.flatnonzero(flags).tolist() for flags in unpack(plane, count).T]
