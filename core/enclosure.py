"""Which cells lie inside whose closed rings, for many boards at once.

A ring is closed when its walls are 4-connected: the flood from outside runs in 8 directions and slips through corners.

Layout. A board of W x H cells has a ring of pads round it, which are the outside; row-major, so that cell (x, y) has
number (y + 1) * (W + 2) + x + 1 and number 0 is a pad:

     0  1  2  3  4
     5  a  b  c  9     W = 3, H = 2: letters are cells, numbers are pads
    10  d  e  f 14
    15 16 17 18 19

A *plane* is one flag for each cell of each board, eight boards in a byte (bit-sliced): uint8 (H + 2, W + 2, K), where
K = ceil(B / 8) *lanes*, the first board in the highest bit. So one bitwise operation works on 8 boards a byte, and the
same code does for a single board.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]

_BLOCK_BYTES = 700_000
"""How much is flooded at a time, for all players together: so that it stays in the processor's cache."""
_SWEEP_BYTES = 200_000
"""Larger blocks are swept line by line. With smaller ones the many calls cost more than the steps they save."""


def pack(flags: NDArray[np.bool_ | np.uint8]) -> Plane:
    """Return flags (.., B), set where not 0, as a plane (.., K)."""
    if flags.shape[-1] == 1:  # numpy packs line by line, and here each flag is a line
        alone: Plane = (flags != 0).view(np.uint8) << 7
        return alone
    return np.packbits(flags, axis=-1)


def members(plane: Plane) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers of the cells (n,) that are set in a plane, and of the boards (n,) they lie on."""
    lanes = plane.shape[-1]
    busy = (plane.reshape(-1) != 0).nonzero()[0]  # nonzero() is much slower with anything but flags
    bit = np.unpackbits(plane.reshape(-1)[busy]).nonzero()[0]
    cell, lane = np.divmod(busy[bit >> 3], lanes)
    return cell, lane * 8 + (bit & 7)


def enclosed(walls: Plane) -> Plane:
    """Find what the closed rings of each player enclose; of nested rings the innermost has a cell.

    The rule is that of the Kakomimasu core since 2020-09-09 (its "fillArea"), put as a recursion.

    Args:
        walls: (P, H + 2, W + 2, K), the walls of each player; no cell has two owners and no pad is a wall.

    Returns:
        (P, H + 2, W + 2, K): the cells that are no walls and belong to the player's ring; no cell has two owners.
    """
    return _rooms(walls, _inner(walls.shape[1:]))


@lru_cache(maxsize=16)
def _inner(shape: tuple[int, ...]) -> Plane:
    """Return a plane (H + 2, W + 2, K), not to be written to, of all cells that are no pads."""
    board = np.zeros((*shape[:2], 1), np.uint8)
    board[1:-1, 1:-1] = 0xFF
    return np.broadcast_to(board, shape)


def _rooms(walls: Plane, room: Plane) -> Plane:
    """Return what each player's rings hold, without walls.

    Args:
        walls: (P, H + 2, W + 2, K), all of them in the room.
        room: (H + 2, W + 2, K), cells that may be held; all others are outside.
    """
    rooms = np.empty_like(walls)
    lanes, disputed = [], []
    with _flood(walls.shape) as flood:
        for some in flood.blocks():
            np.invert(walls[..., some], out=flood.free)
            held = np.invert(flood(room[..., some]), out=flood.held)
            twice = _settle(held, flood.free, flood.spare)
            rooms[..., some] = held
            if np.count_nonzero(twice):
                busy = np.flatnonzero(np.bitwise_or.reduce(twice, axis=(0, 1)))
                lanes.append(busy + some.start)
                disputed.append(twice.take(busy, axis=-1))
    if lanes:
        # Look again, with the disputed cells alone: a ring all of whose walls lie in a ring of another player has its
        # inside there, too, so what is settled is now outside. The outermost walls are settled each time: this ends.
        again, room = np.concatenate(lanes), np.concatenate(disputed, axis=-1)
        _join(rooms, again, _rooms(walls.take(again, axis=-1) & room, room))
    return rooms


def _settle(held: Plane, free: Plane, spare: Plane) -> Plane:
    """Take from what each player holds, in place, the walls and what others hold, too; return the latter.

    Args:
        held: (P, H + 2, W + 2, n)
        free: (P, H + 2, W + 2, n), all but each player's walls.
        spare: (3, H + 2, W + 2, n), memory; the result (H + 2, W + 2, n) lies there, too.
    """
    once, twice, both = spare
    once[:], twice[:] = held[0], 0
    for plane in held[1:]:
        np.bitwise_and(once, plane, out=both)
        twice |= both
        once |= plane
    settled: Plane = np.bitwise_and.reduce(free, out=both)
    settled &= np.invert(twice, out=once)
    held &= settled
    disputed: Plane = twice
    return disputed


def _join(planes: Plane, lanes: NDArray[np.intp], part: Plane) -> None:
    """Add the flags of ``part`` (few) to some lanes of ``planes``, in place."""
    busy = np.flatnonzero(part != 0)
    cell, lane = np.divmod(busy, lanes.size)
    planes.reshape(-1)[cell * planes.shape[-1] + lanes.take(lane)] |= part.reshape(-1).take(busy)


def outside(free: Plane, room: Plane) -> Plane:
    """Flood from all that is not room through free cells, in 8 directions.

    Args:
        free: (P, H + 2, W + 2, K), cells that each player's flood may enter; all that is not room is free.
        room: (H + 2, W + 2, K), all but the cells where the floods start; no pad is among them.

    Returns:
        (P, H + 2, W + 2, K): the cells reached.
    """
    reached = np.empty_like(free)
    with _flood(free.shape) as flood:
        for some in flood.blocks():
            flood.free[:] = free[..., some]
            reached[..., some] = flood(room[..., some])
    return reached


class _Memory:
    """Memory that floods use in turn: to get new memory would often take longer than the flood itself."""

    def __init__(self) -> None:
        self._bytes = np.empty(0, np.uint8)
        self.flood = lru_cache(maxsize=2)(partial(_Flood, self))
        """Returns a flood for planes of a shape. The last two are kept: all turns of a match have one shape, and the
        second look of ``_rooms`` has another."""

    def __call__(self, *shape: int) -> Plane:
        """Return memory; what was returned before is void."""
        size = math.prod(shape)
        if self._bytes.size < size:
            self._bytes = np.empty(size, np.uint8)
        return self._bytes[:size].reshape(shape)


class _Flood:
    """Floods one block of boards after the other. Its memory serves no other flood until it has done.

    Here the lines of all players that have the same y lie side by side, so that one call works on a whole line of cells
    or on all of them: each direction is one shift of what lies flat, and pads keep lines apart.
    """

    def __init__(self, memory_of: _Memory, shape: tuple[int, ...]) -> None:
        players, height, width, self._boards = shape
        self._blocks = max(1, -(-players * height * width * self._boards // _BLOCK_BYTES))
        self._lanes = -(-self._boards // self._blocks)
        memory = memory_of(6, height, players * width * self._lanes)
        self._lines, free, self._before, *_ = memory
        planes = memory.reshape(6, height, players, width, self._lanes).swapaxes(1, 2)
        self.reached: Plane = planes[0]
        """(P, H + 2, W + 2, n), of the present block."""
        self.free: Plane = planes[1]
        """Likewise; the caller fills it in."""
        spare: Plane = memory[2:].reshape(4 * players, height, width, self._lanes)
        self.spare, self.held = spare[:3], spare[-players:]
        """(3, H + 2, W + 2, n) and (P, H + 2, W + 2, n), memory for the caller, void with the next block: in one piece
        for each player, which is worked on faster."""
        swept = self._lines.size >= _SWEEP_BYTES
        one_by_one = [(y, y + 1) for y in range(1, height - 1)]
        ways = [(one_by_one, [-1]), (one_by_one[::-1], [1])] if swept else [([(1, height - 1)], [-1, 1])]
        self._moves = [_Move(self._lines, free, memory[3:5], self._lanes, *way) for way in ways]
        self._blind = len(ways) - 1
        """How many moves are done before we check whether the flood has ended: about as many as the last one took, as
        few walls change from turn to turn. One that reaches nothing is the end only after one in each other way."""

    def blocks(self) -> Iterator[slice]:
        """Yield the lanes of each block; blocks are of the same size, so that the last ones may overlap."""
        for block in range(self._blocks):
            start = min(block * self._lanes, self._boards - self._lanes)
            yield slice(start, start + self._lanes)

    def __call__(self, room: Plane) -> Plane:
        """Flood the present block from all that is not room, and return what is reached."""
        np.invert(room, out=self.reached)
        moves = itertools.cycle(self._moves)
        for move in itertools.islice(moves, self._blind):
            move()
        more = 0
        while self._grows(next(moves)):
            more += 1
        self._blind = max(len(self._moves) - 1, self._blind + (more or -1))
        return self.reached

    def _grows(self, move: _Move) -> bool:
        """Do a move, and return whether it reached anything."""
        self._before[:] = self._lines
        move()
        self._before ^= self._lines
        return bool(np.count_nonzero(self._before))


class _Move:
    """Spreads a flood to lines of cells, one stretch of them after the other."""

    def __init__(
        self,
        reached: Plane,
        free: Plane,
        spare: Plane,
        lanes: int,
        stretches: Sequence[tuple[int, int]],
        sides: Sequence[int],
    ) -> None:
        """Look where everything lies.

        Args:
            reached: (H + 2, n), lines of all that is reached; changed by each call.
            free: (H + 2, n)
            spare: (2, H + 2, n), memory.
            lanes: how far neighbours in a line are apart.
            stretches: first line and the one behind the last, all equally many.
            sides: from where cells are reached, besides their own line: -1 the line above, 1 the line below.
        """
        start, stop = stretches[0]
        self._column, block = spare[:, start:stop].reshape(2, -1)
        self._beside = self._column[: -2 * lanes], self._column[lanes:-lanes], self._column[2 * lanes :]
        self._block = block[lanes:-lanes]
        self._stretches = [
            (
                [reached[start + side : stop + side].reshape(-1) for side in sides],
                reached[start:stop].reshape(-1),
                reached[start:stop].reshape(-1)[lanes:-lanes],
                free[start:stop].reshape(-1)[lanes:-lanes],
            )
            for start, stop in stretches
        ]

    def __call__(self) -> None:
        """Do it."""
        column, block = self._column, self._block
        left, middle, right = self._beside
        for (near, *others), same, target, free in self._stretches:  # results by position: "out=" costs a fifth more
            np.bitwise_or(near, same, column)
            for far in others:
                np.bitwise_or(column, far, column)
            np.bitwise_or(left, middle, block)
            np.bitwise_or(block, right, block)
            np.bitwise_and(block, free, target)


_idle: list[_Memory] = []
"""Memory that no flood uses now. Threads take and return it by ``pop`` and ``append``, which are atomic."""


@contextmanager
def _flood(shape: tuple[int, ...]) -> Iterator[_Flood]:
    """Lend a flood for planes of a shape (P, H + 2, W + 2, K), in memory that nobody else uses meanwhile."""
    try:
        memory = _idle.pop()
    except IndexError:
        memory = _Memory()
    try:
        yield memory.flood(shape)
    finally:
        _idle.append(memory)
