"""What a batch of Kakomimasu boards is made of.

Boards lie as ``core.enclosure`` draws them: cell (x, y) is *spot* (y + 1) * (W + 2) + x + 1, and spot 0, which is a
pad, means off the board. Boards of different sizes share a batch: the smaller ones lie in the upper left corner of a
grid of the largest width W and height H; what is beyond them is never walked on and thus outside.
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
"""A cell's code has a bit for walls and a bit for area of each seat."""
WALL_BITS = np.uint8(0x0F)
"""The wall bits of all seats."""


class Kind(IntEnum):
    """Kinds of orders, numbered as in the logs of the original core."""

    STAND = 0
    """Nothing was ordered."""
    PUT = 1
    NONE = 2
    MOVE = 3
    REMOVE = 4


class Result(IntEnum):
    """What became of an order, numbered as in the logs of the original core."""

    NO_ORDER = -1
    SUCCESS = 0
    CONFLICT = 1
    REVERT = 2
    ONLY_ONE_TURN = 3
    """Two orders for one agent; in the judge only, as a bot answers one line an agent."""
    ILLEGAL_AGENT = 4
    """There is no such agent; in the judge only."""
    ILLEGAL_ACTION = 5


def wall_bit(seat: int) -> int:
    """Return the code of a cell that is a wall of the seat."""
    return 1 << seat


def area_bit(seat: int) -> int:
    """Return the code of a cell that is area of the seat."""
    return 1 << (seat + SEATS_MAX)


WALLS = np.array([wall_bit(seat) for seat in range(SEATS_MAX)], np.uint8)
AREAS = np.array([area_bit(seat) for seat in range(SEATS_MAX)], np.uint8)
"""The codes of each seat."""
_OTHERS = (WALL_BITS & ~WALLS)[:, None, None]
"""(SEATS_MAX, 1, 1): the wall bits of all others."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards, P seats with A agents each, L = (H + 2) * (W + 2) spots. The arrays are never changed.

    A state equals none but itself, so that what is made of it can be kept.
    """

    grid: tuple[int, int]
    """H and W, the largest height and width of the batch."""
    article: bool
    """Enclosure by the rules of the article of 2020."""
    settled: bool
    """All that rings hold has been given to them: nothing more is, on any board, before a wall comes or goes."""
    width: Ints
    """(B,): of each board."""
    height: Ints
    """(B,)"""
    agent_count: Ints
    """(B,): agents of a seat. A is the most of the batch; agents beyond a board's count never do anything."""
    turns: Ints
    """(B,): how many turns the match has."""
    played: Ints
    """(B,): how many turns have been resolved."""
    out: Bools
    """(P, B): disqualified."""
    points: NDArray[np.int16]
    """(L, B): what a cell is worth."""
    cells: NDArray[np.uint8]
    """(L, B): 0 neutral, else one ``wall_bit`` or ``area_bit``."""
    agents: NDArray[np.int16]
    """(P, A, B): spot of each agent, 0: off the board. An agent stands on a wall of its own seat."""
    results: NDArray[np.int8]
    """(P, A, B): ``Result`` of the order in the last turn."""
    scores: NDArray[np.int32]
    """(P, 2, B): points of walls, points of area."""

    @property
    def boards(self) -> int:
        """B."""
        return len(self.width)

    @property
    def over(self) -> Bools:
        """(B,): all turns have been played."""
        return self.played >= self.turns

    @property
    def turn(self) -> Ints:
        """(B,): number of the turn to be played, from 1; the last turn's when the match is over."""
        return np.minimum(self.played + 1, self.turns)


def begin(boards: Sequence[Board], seats: int, *, article: bool = False) -> State:
    """Set boards up for their first turn, for P = seats."""
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
    """Return the spots of coordinates (.., B), 0 where they are off the board."""
    on_board = (x >= 0) & (x < state.width) & (y >= 0) & (y < state.height)
    spot: NDArray[np.int16] = ((y + 1) * (state.grid[1] + 2) + (x + 1)).astype(np.int16, copy=False)
    return spot * on_board


def coordinates(state: State, spot: Ints) -> tuple[Ints, Ints]:
    """Return x and y of spots; -1 and -1 of spot 0."""
    row, column = np.divmod(spot, state.grid[1] + 2)
    return column - 1, row - 1


def flat(spot: Ints) -> NDArray[np.intp]:
    """Return indices of spots (.., B) into arrays (L, B) laid flat."""
    at, boards = spot.astype(np.intp), spot.shape[-1]
    if boards > 1:
        at *= boards
        at += np.arange(boards)
    return at


def foreign_walls(code: NDArray[np.uint8]) -> Bools:
    """Return whether codes (.., P, A, B) of cells have a wall of another seat than the one of their place."""
    foreign: Bools = (code & _OTHERS[: code.shape[-3]]) != 0
    return foreign


def tally(points: Ints, cells: NDArray[np.uint8], seats: int) -> NDArray[np.int32]:
    """Count the points on all boards, from nothing but their cells.

    A wall counts what its cell is worth, area counts the absolute value.

    Args:
        points: (L, B).
        cells: (L, B), codes.
        seats: P.

    Returns:
        (P, 2, B): of walls, of area.
    """
    scores = np.empty((seats, 2, cells.shape[1]), np.int32)
    for seat in range(seats):
        scores[seat, 0] = np.sum(points, axis=0, dtype=np.int32, where=(cells & wall_bit(seat)) != 0)
        scores[seat, 1] = np.sum(np.abs(points), axis=0, dtype=np.int32, where=(cells & area_bit(seat)) != 0)
    return scores
