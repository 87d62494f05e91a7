"""The rules of Tron: light cycles leave trails; a bot that rides into a trail or the wall is out.

In a turn all seats that ride go one cell on, at the same time. A seat crashes if its next cell is the wall or holds a
trail, also its own, or if another seat rides into the same cell. Who has crashed stays where it was; its trail stays
too. The match ends when at most one seat rides. Who rides longest is first; those who crash in the same turn are equal.

Cells are numbered as *spots*: cell (x, y) is the spot (y + 1) * (W + 2) + x + 1, and the wall is a ring of spots round
the grid. The last axis of all arrays is that of the boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]
Place = tuple[int, int]

DIRECTIONS = ("UP", "RIGHT", "DOWN", "LEFT")
"""Names of the directions; their indices are the actions."""
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""What each direction adds to x and y."""
STAY = -1
"""The action of a seat that does nothing, which no answer stands for."""

FREE, WALL, START, TRAIL = 0, 1, 2, 6
"""Codes of cells: ``START + seat`` for the cell on which a seat starts, and for a cell into which a seat has ridden
``TRAIL + 4 * seat + direction``."""
HEAD_ON = 22
"""What a seat has crashed into if that is another seat; otherwise it is the code of the cell."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards, P seats, L = (H + 2) * (W + 2) spots. The arrays are never changed."""

    grid: tuple[int, int]
    """H and W."""
    turn: NDArray[np.int16]
    """(B,): number of turns played."""
    cells: NDArray[np.int8]
    """(L, B): the code of each cell."""
    heads: NDArray[np.int16]
    """(P, B): the spot of each seat."""
    lengths: NDArray[np.int16]
    """(P, B): how many cells each seat has ridden."""
    crash_turn: NDArray[np.int16]
    """(P, B): the turn in which each seat crashed; 0 if it has not."""
    crash_spot: NDArray[np.int16]
    """(P, B): the spot into which it would have ridden."""
    crash_into: NDArray[np.int8]
    """(P, B): what it crashed into, see ``HEAD_ON``."""
    out: Bools
    """(P, B): whether each seat is out of the match by a fault."""
    over: Bools
    """(B,): whether the match has ended."""

    @property
    def riding(self) -> Bools:
        """(P, B): whether each seat is neither crashed nor out."""
        riding: Bools = (self.crash_turn == 0) & ~self.out
        return riding


def first_state(starts: Sequence[Sequence[Place]] | Ints, grid: tuple[int, int]) -> State:
    """Return the first state of boards of the size ``grid``, H and W.

    ``starts`` (B, P, 2) are x and y of the cell on which each seat starts.
    """
    height, width = grid
    places = np.array(starts, np.int16).transpose(2, 1, 0)
    heads = ((places[1] + 1) * (width + 2) + places[0] + 1).astype(np.int16)
    seats, boards = heads.shape
    cells = np.full((height + 2, width + 2, boards), WALL, np.int8)
    cells[1:-1, 1:-1] = FREE
    cells = cells.reshape((height + 2) * (width + 2), boards)
    cells[heads, np.arange(boards)] = START + np.arange(seats, dtype=np.int8)[:, None]
    zeros = np.zeros((seats, boards), np.int16)
    return State(
        grid=grid,
        turn=np.zeros(boards, np.int16),
        cells=cells,
        heads=heads,
        lengths=zeros,
        crash_turn=zeros,
        crash_spot=zeros,
        crash_into=np.zeros((seats, boards), np.int8),
        out=np.zeros((seats, boards), np.bool_),
        over=np.zeros(boards, np.bool_),
    )


def step(state: State, actions: Ints) -> State:
    """Return the state after a turn on all boards that are not over.

    Actions (P, B) are directions; any other number means ``STAY``. Those of seats that do not ride are ignored.
    """
    boards = np.arange(len(state.turn))
    going = state.riding & ~state.over & (actions >= 0) & (actions < len(STEPS))
    directions = np.where(going, actions, 0)
    targets = state.heads + _offsets(state).take(directions)
    into = state.cells[targets, boards]
    together = (targets[:, None] == targets) & going[:, None] & going  # of each seat with each, itself included
    into = np.where((into == FREE) & (together.sum(axis=1) > 1), np.int8(HEAD_ON), into)
    crashed, rides = going & (into != FREE), going & (into == FREE)
    turn = state.turn + ~state.over
    cells = state.cells.copy()
    seat, board = np.nonzero(rides)
    cells[targets[rides], board] = TRAIL + 4 * seat + directions[rides]
    after = replace(
        state,
        turn=turn,
        cells=cells,
        heads=np.where(rides, targets, state.heads),
        lengths=state.lengths + rides,
        crash_turn=np.where(crashed, turn, state.crash_turn),
        crash_spot=np.where(crashed, targets, state.crash_spot),
        crash_into=np.where(crashed, into, state.crash_into),
    )
    return replace(after, over=state.over | (after.riding.sum(axis=0) <= 1))


def legal(state: State) -> Bools:
    """Return (4, P, B): the directions among which each seat chooses; False if it is not asked.

    Those that crash at once are among them only where all do.
    """
    around = state.heads + _offsets(state)[:, None, None]
    free: Bools = state.cells[around, np.arange(len(state.turn))] == FREE
    choices: Bools = (free | ~free.any(axis=0)) & state.riding & ~state.over
    return choices


def ranks(state: State) -> NDArray[np.int64]:
    """Return (B, P): the place of each seat, by the turn of its crash; those at fault share the last place."""
    worth = np.where(state.crash_turn == 0, np.iinfo(np.int16).max, state.crash_turn)
    worth = np.where(state.out, 0, worth)
    places: NDArray[np.int64] = 1 + (worth[:, None] < worth).sum(axis=1)
    return places.T


def coordinates(state: State, spot: int) -> Place:
    """Return x and y of a spot; in the wall, one of them lies outside of the grid."""
    row, column = divmod(spot, state.grid[1] + 2)
    return column - 1, row - 1


def _offsets(state: State) -> NDArray[np.int16]:
    """Return (4,): the difference that a step in each direction makes to a spot."""
    return np.array([dy * (state.grid[1] + 2) + dx for dx, dy in STEPS], np.int16)
