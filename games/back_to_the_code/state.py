"""The state of a batch of Back to the Code boards.

Cells are numbered as in ``core.enclosure``: cell (x, y) is the *spot* (y + 1) * (W + 2) + x + 1, and padding cells
surround the board. A cell's *code* is ``round << 3 | mark``, where the mark stands for its owner and the round is that
in which the owner got it. So a return to an earlier round frees all cells whose code is too high.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.batch import select_boards

Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

SEATS_MAX = 4
BACK_MAX = 25
"""How many rounds one BACK may undo."""

ROUND_SHIFT = 3
MARK_BITS = np.int16((1 << ROUND_SHIFT) - 1)
NEUTRAL = np.int16(0)
PAD = np.int16(SEATS_MAX + 1)
"""The code, and the mark, of padding cells."""

NEVER = np.iinfo(np.int16).max
"""The value in ``State.returns`` for a return (BACK) that has not happened."""


def mark(seat: int) -> int:
    """Return the mark of a seat's cells."""
    return seat + 1


class Action(IntEnum):
    """Numbers of the actions of a seat. BACK k is ``Action.BACK + k``, with k from 1 on."""

    STAY = 0
    LEFT = 1
    RIGHT = 2
    UP = 3
    DOWN = 4
    BACK = 4


class Ending(IntEnum):
    """Why a match is over."""

    NONE = 0
    """The match is not over."""
    SETTLED = 1
    """The ranking can no longer change."""
    IDLE = 2
    """No seat has moved or gone BACK for ``rules.IDLE_ROUNDS`` rounds."""
    NOBODY = 3
    """All seats are out."""
    ROUNDS = 4
    """All rounds have been played."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards, P seats, L = (H + 2) * (W + 2) spots. The arrays are never changed.

    *Played* rounds include those that a BACK has undone; *completed* rounds do not.
    """

    grid: tuple[int, int]
    """H and W."""
    limit: int
    """Number of completed rounds after which a match ends."""
    cells: NDArray[np.int16]
    """(B, L): the code of each cell."""
    spots: NDArray[np.int16]
    """(P, B): the spot of each seat."""
    counts: NDArray[np.int16]
    """(P, B): the number of cells of each seat."""
    backs: Bools
    """(P, B): whether each seat still has its BACK."""
    out: Bools
    """(P, B): whether each seat is out of the match."""
    completed: NDArray[np.int16]
    """(B,): number of completed rounds."""
    played: NDArray[np.int16]
    """(B,): number of played rounds."""
    acted: NDArray[np.int16]
    """(B,): number of rounds played before the last one in which a seat moved or went BACK; 0 at first."""
    settled: Bools
    """(B,): whether the ranking can no longer change: the next round is the last one."""
    ending: NDArray[np.int8]
    """(B,): why the match is over, see ``Ending``."""
    past: tuple[NDArray[np.int16], ...]
    """``spots`` and ``counts``, (2, P, B), at the start and after each played round. Valid for boards that are not
    over; these have all played the same number of rounds."""
    returns: NDArray[np.int16]
    """(2, P, B): for each return in order, the round to which it led, and how many more rounds had then been played
    than were completed. The round is ``NEVER`` for returns that have not happened."""

    @property
    def boards(self) -> int:
        """The number of boards, B."""
        return len(self.completed)

    @property
    def over(self) -> Bools:
        """(B,): whether the match has ended."""
        over: Bools = self.ending != Ending.NONE
        return over


def first_state(starts: Sequence[Sequence[tuple[int, int]]] | Ints, grid: tuple[int, int], limit: int) -> State:
    """Return the first state of boards, given the starts of the seats.

    Args:
        starts: x and y of each seat of each board, (B, P, 2). A seat gets its cell only if it stands there alone.
        grid: H and W.
        limit: number of rounds of the match.
    """
    height, width = grid
    boards = len(starts)
    places = np.array(starts, np.int16).transpose(2, 1, 0)
    spots = ((places[1] + 1) * (width + 2) + places[0] + 1).astype(np.int16)
    claims = alone(spots, np.ones(spots.shape, np.bool_))
    grids = np.full((boards, height + 2, width + 2), PAD)
    grids[:, 1:-1, 1:-1] = NEUTRAL
    cells = grids.reshape(boards, (height + 2) * (width + 2))
    seat, board = np.nonzero(claims)
    cells[board, spots[seat, board]] = seat + mark(0)
    counts = claims.astype(np.int16)
    none = np.zeros(boards, np.int16)
    returns = np.zeros((2, *spots.shape), np.int16)
    returns[0] = NEVER
    return State(
        grid=grid,
        limit=limit,
        cells=cells,
        spots=spots,
        counts=counts,
        backs=np.ones(spots.shape, np.bool_),
        out=np.zeros(spots.shape, np.bool_),
        completed=none,
        played=none,
        acted=none,
        settled=np.zeros(boards, np.bool_),
        ending=np.zeros(boards, np.int8),
        past=(np.stack([spots, counts]),),
        returns=returns,
    )


def taken(state: State, boards: Sequence[int] | Ints) -> State:
    """Return a batch of the boards with these numbers, in their order."""
    some = select_boards(replace(state, cells=np.zeros((0, state.boards), np.int16)), boards)
    return replace(some, cells=state.cells.take(boards, axis=0))


def alone(spots: Ints, living: Bools) -> Bools:
    """Return (P, B): whether each seat is living and shares its spot with no other living seat."""
    meets = (spots[:, None] == spots) & living
    single: Bools = (meets.sum(axis=1) == 1) & living
    return single


def recall(state: State, boards: NDArray[np.intp], rounds: Ints) -> NDArray[np.int16]:
    """Return (2, P, n): spots and counts of n boards, each after one of its completed rounds (n,).

    The rounds must be in ``state.past``, to which ``rules.step`` adds the present round at its end.
    """
    led_to, more = state.returns[..., boards]
    index = rounds + np.where(led_to <= rounds, more, 0).max(axis=0)
    order = index.argsort(kind="stable")
    then = np.empty((*state.returns.shape[:2], len(boards)), np.int16)
    for same in np.split(order, np.flatnonzero(np.diff(index[order])) + 1):
        then[..., same] = state.past[index[same[0]]][..., boards[same]]
    return then


def coordinates(state: State, spot: int) -> tuple[int, int]:
    """Return x and y of the cell at a spot."""
    row, column = divmod(spot, state.grid[1] + 2)
    return column - 1, row - 1
