"""The state of a batch of Kakomimasu boards.

Cells are numbered as in ``core.enclosure``: cell (x, y) is the *spot* (y + 1) * (W + 2) + x + 1. Spot 0, a padding
cell, means off the board. Boards of different sizes can share a batch: all lie in the upper left corner of a grid with
the largest width W and height H; no agent can go to the cells beyond a smaller board, so these are never enclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from games.kakomimasu.boards import Board

Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

SEATS_MAX = 4
"""The most seats of a match: the code of a cell, of 8 bits, has a bit for walls and a bit for area of each seat."""
WALL_BITS = np.uint8(0x0F)
"""The wall bits of all seats."""


class Kind(IntEnum):
    """Kinds of orders, numbered as in the logs of the original core."""

    STAND = 0
    """No order was given."""
    PUT = 1
    NONE = 2
    MOVE = 3
    REMOVE = 4


class Result(IntEnum):
    """Results of orders, numbered as in the logs of the original core."""

    NO_ORDER = -1
    SUCCESS = 0
    CONFLICT = 1
    REVERT = 2
    ONLY_ONE_TURN = 3
    """Two orders for one agent. Only judges see this: a bot answers one line for each agent."""
    ILLEGAL_AGENT = 4
    """There is no such agent. Only judges see this."""
    ILLEGAL_ACTION = 5


def wall_bit(seat: int) -> int:
    """Return the code of a cell that is a wall of the seat."""
    return 1 << seat


def area_bit(seat: int) -> int:
    """Return the code of a cell that is area of the seat."""
    return 1 << (seat + SEATS_MAX)


WALLS = np.array([wall_bit(seat) for seat in range(SEATS_MAX)], np.uint8)
AREAS = np.array([area_bit(seat) for seat in range(SEATS_MAX)], np.uint8)
"""The codes of walls, and of areas, of each seat."""
_OTHERS = (WALL_BITS & ~WALLS)[:, None, None]
"""(SEATS_MAX, 1, 1): for each seat, the wall bits of all others."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards, P seats with A agents each, L = (H + 2) * (W + 2) spots. The arrays are never changed.

    States are compared by identity, so that functions of a state can be cached.
    """

    grid: tuple[int, int]
    """H and W, the largest height and width of the batch."""
    article: bool
    """Whether areas are enclosed by the rules of the article of 2020."""
    settled: bool
    """Whether all enclosed cells are area already, on all boards: then only a change of walls can enclose more."""
    width: Ints
    """(B,): the width of each board."""
    height: Ints
    """(B,): the height of each board."""
    agent_count: Ints
    """(B,): number of agents of a seat. A is the greatest of the batch; agents beyond a board's number do nothing."""
    turns: Ints
    """(B,): number of turns of the match."""
    played: Ints
    """(B,): number of turns played."""
    out: Bools
    """(P, B): whether each seat is disqualified."""
    points: NDArray[np.int16]
    """(L, B): the points of each cell."""
    cells: NDArray[np.uint8]
    """(L, B): the code of each cell: 0 if it is neutral, else one ``wall_bit`` or ``area_bit``."""
    agents: NDArray[np.int16]
    """(P, A, B): the spot of each agent, 0 if it is off the board. An agent stands on a wall of its own seat."""
    results: NDArray[np.int8]
    """(P, A, B): the ``Result`` of the order to each agent in the last turn."""
    scores: NDArray[np.int32]
    """(P, 2, B): the points of walls, and those of area."""

    @property
    def boards(self) -> int:
        """The number of boards, B."""
        return len(self.width)

    @property
    def over(self) -> Bools:
        """(B,): whether all turns have been played."""
        return self.played >= self.turns

    @property
    def turn(self) -> Ints:
        """(B,): number of the next turn, from 1; when the match is over, of the last turn."""
        return np.minimum(self.played + 1, self.turns)


def first_state(boards: Sequence[Board], seats: int, *, article: bool = False) -> State:
    """Return the state of boards before the first turn, with P = seats.

    ``article``: whether areas are enclosed by the rules of the article of 2020 (``games.kakomimasu.article``).
    """
    height, width = (max((board.points.shape[axis] for board in boards), default=0) for axis in (0, 1))
    count, agents = len(boards), max((board.agents for board in boards), default=0)
    points = np.zeros((height + 2, width + 2, count), np.int16)
    for b, board in enumerate(boards):
        points[1 : board.points.shape[0] + 1, 1 : board.points.shape[1] + 1, b] = board.points
    return State(
        grid=(height, width),
        article=article,
        settled=True,
        width=np.array([board.points.shape[1] for board in boards], np.int16),
        height=np.array([board.points.shape[0] for board in boards], np.int16),
        agent_count=np.array([board.agents for board in boards], np.int16),
        turns=np.array([board.turns for board in boards], np.int16),
        played=np.zeros(count, np.int16),
        out=np.zeros((seats, count), np.bool_),
        points=points.reshape((height + 2) * (width + 2), count),
        cells=np.zeros(((height + 2) * (width + 2), count), np.uint8),
        agents=np.zeros((seats, agents, count), np.int16),
        results=np.full((seats, agents, count), Result.NO_ORDER, np.int8),
        scores=np.zeros((seats, 2, count), np.int32),
    )


def spots(state: State, x: Ints, y: Ints) -> NDArray[np.int16]:
    """Return the spots of cells (.., B) with these coordinates, 0 if they are off the board."""
    on_board = (x >= 0) & (x < state.width) & (y >= 0) & (y < state.height)
    spot: NDArray[np.int16] = ((y + 1) * (state.grid[1] + 2) + (x + 1)).astype(np.int16, copy=False)
    return spot * on_board


def coordinates(state: State, spot: Ints) -> tuple[Ints, Ints]:
    """Return x and y of the cells at spots; -1 and -1 for spot 0."""
    row, column = np.divmod(spot, state.grid[1] + 2)
    return column - 1, row - 1


def flat(spot: Ints) -> NDArray[np.intp]:
    """Return the indices of spots (.., B) in a flattened array (L, B)."""
    at, boards = spot.astype(np.intp), spot.shape[-1]
    if boards > 1:
        at *= boards
        at += np.arange(boards)
    return at


def foreign_walls(code: NDArray[np.uint8]) -> Bools:
    """Return (.., P, A, B): whether each code is a wall of another seat than that of its index on the axis P."""
    foreign: Bools = (code & _OTHERS[: code.shape[-3]]) != 0
    return foreign


def tally(points: Ints, cells: NDArray[np.uint8], seats: int) -> NDArray[np.int32]:
    """Return (P, 2, B): the points of walls and of area of each seat, counted over all cells.

    ``points`` and ``cells`` (L, B) are the points and the code of each cell; area counts absolute values.
    """
    scores = np.empty((seats, 2, cells.shape[1]), np.int32)
    for seat in range(seats):
        scores[seat, 0] = np.sum(points, axis=0, dtype=np.int32, where=(cells & wall_bit(seat)) != 0)
        scores[seat, 1] = np.sum(np.abs(points), axis=0, dtype=np.int32, where=(cells & area_bit(seat)) != 0)
    return scores
