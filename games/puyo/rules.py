"""The rules that Tsu and Smash the Code share: a turn, legal placements, and the places of the seats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.puyo import placements, smash, tsu
from games.puyo.field import COLUMNS, Bools, Ints, heights
from games.puyo.state import State


def step(state: State, moves: Ints) -> State:
    """Return the state after one tick, given ``moves`` (2, P, B), the column of the axis and the turn.

    An illegal move places nothing, which loses in Smash the Code.
    """
    moves = np.where(_are_legal(state, moves), moves, -1)
    return smash.step(state, moves) if state.smash else tsu.step(state, moves)


def _are_legal(state: State, moves: Ints) -> Bools:
    """Return (P, B): whether moves are legal placements.

    In Smash the Code they may still not fit into the field, which ``smash.step`` checks.
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
"""The number of the placement, or -1, for each column and turn."""


def legal(state: State) -> Bools:
    """Return (22, P, B): whether each of ``PLACEMENTS`` is legal for each seat, if it is asked.

    In Smash the Code the skulls of this turn fall first. There may be no legal placement; then the seat loses.
    """
    levels = heights(state.rules, smash.skulls_fallen(state) if state.smash else state.fields)
    mask = placements.legal(state.rules, levels.reshape(COLUMNS, -1))
    return mask.reshape(len(mask), *levels.shape[1:])


def ranks(state: State) -> NDArray[np.int64]:
    """Return (B, P): places; living seats rank by score, dead ones behind them, disqualified ones last.

    In Smash the Code, disqualified seats rank like dead ones.
    """
    standing = np.where(state.out, -1 if state.smash else -2, np.where(state.dead, -1, state.score))
    places: NDArray[np.int64] = 1 + (standing[:, None] < standing).sum(axis=1)
    return places.T
