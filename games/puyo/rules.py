"""What goes for both sets of rules: a turn, what may be placed, and the places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.puyo import placements, smash, tsu
from games.puyo.field import COLUMNS, Bools, Ints, heights
from games.puyo.state import State


def step(state: State, moves: Ints) -> State:
    """Play one tick; moves (2, P, B): column of the axis and turn. One that is not legal places nothing."""
    moves = np.where(_are_legal(state, moves), moves, -1)
    return smash.step(state, moves) if state.smash else tsu.step(state, moves)


def _are_legal(state: State, moves: Ints) -> Bools:
    """Return (P, B): whether these are placements that a seat may choose.

    In Smash the Code only whether they are placements: ``smash.step`` finds out whether there is room.
    """
    x, turn = moves
    inside = (x >= 0) & (x < COLUMNS) & (turn >= 0) & (turn < len(placements.ASIDE))
    number = _NUMBERS.take(np.where(inside, x * len(placements.ASIDE) + turn, 0))
    known: Bools = inside & (number >= 0)
    if state.smash:
        return known
    levels = heights(state.rules, state.fields).reshape(COLUMNS, -1)
    return known & placements.reaches(levels, number.reshape(-1)).reshape(number.shape)


_NUMBERS = np.array(
    [placements.PLACEMENTS.index(move) if move in placements.PLACEMENTS else -1 for move in np.ndindex(COLUMNS, 4)]
)
"""Of each column and turn, the number of the placement."""


def legal(state: State) -> Bools:
    """Return (22, P, B): what a free seat may place, in the order of ``PLACEMENTS``.

    In Smash the Code the skulls of this turn fall before; there it may be nothing, and then the seat loses.
    """
    levels = heights(state.rules, smash.skulls_fallen(state) if state.smash else state.fields)
    mask = placements.legal(state.rules, levels.reshape(COLUMNS, -1))
    return mask.reshape(len(mask), *levels.shape[1:])


def ranks(state: State) -> NDArray[np.int64]:
    """Return (B, P): who is alive before who is dead, then by score; disqualified seats share the last places.

    In Smash the Code with those that are dead: both found no room, whether they answered or not.
    """
    standing = np.where(state.out, -1 if state.smash else -2, np.where(state.dead, -1, state.score))
    places: NDArray[np.int64] = 1 + (standing[:, None] < standing).sum(axis=1)
    return places.T
