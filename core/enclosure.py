"""Find which cells the closed rings of walls of each player enclose, on many boards at once, by flood fill.

A ring is closed when its walls are 4-connected: the flood starts outside the board, spreads in 8 directions, and so
passes between two walls that touch only at a corner.

Layout. A board of W x H cells is surrounded by padding cells (*pads*), where the flood starts. Cells are numbered row
by row: cell (x, y) has the number (y + 1) * (W + 2) + x + 1, and number 0 is a pad:

     0  1  2  3  4
     5  a  b  c  9     W = 3, H = 2: letters are cells, numbers are pads
    10  d  e  f 14
    15 16 17 18 19

A *plane* holds one flag for each cell of each of B boards, eight boards in a byte (bit-sliced): uint8 (H + 2, W + 2, K)
with K = ceil(B / 8) bytes, the *lanes*; the first board is the highest bit of its byte. One bitwise operation on a byte
therefore works on 8 boards, and a single board needs no code of its own.
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
"""Size of the blocks of boards that are flooded one after another, all players together. They fit into a processor's
cache."""
_SWEEP_BYTES = 200_000
"""Blocks of this size or more are flooded line by line. In smaller blocks, the overhead of one numpy call for each line
exceeds the time saved."""


def pack(flags: NDArray[np.bool_ | np.uint8]) -> Plane:
    """Return the plane (.., K) of flags (.., B); every value but 0 is a set flag."""
    if flags.shape[-1] == 1:  # np.packbits is slow here: it packs each row, and each row has one flag
        alone: Plane = (flags != 0).view(np.uint8) << 7
        return alone
    return np.packbits(flags, axis=-1)


def members(plane: Plane) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where the n flags of a plane are set: the numbers of the cells (n,) and of their boards (n,)."""
    lanes = plane.shape[-1]
    busy = (plane.reshape(-1) != 0).nonzero()[0]  # nonzero() is much faster on booleans than on bytes
    bit = np.unpackbits(plane.reshape(-1)[busy]).nonzero()[0]
    cell, lane = np.divmod(busy[bit >> 3], lanes)
    return cell, lane * 8 + (bit & 7)


def enclosed(walls: Plane) -> Plane:
    """Return the cells that each player's closed rings enclose. A cell inside several rings belongs to the innermost.

    Args:
        walls: (P, H + 2, W + 2, K), the walls of each player; no cell has two owners and no pad is a wall.

    Returns:
        (P, H + 2, W + 2, K): the cells in each player's rings, without the walls of any player; no cell has two owners.
    """
    return _enclosed_in(_cells_without_pads(walls.shape[1:]), walls)


@lru_cache(maxsize=16)
def _cells_without_pads(shape: tuple[int, ...]) -> Plane:
    """Return a read-only plane (H + 2, W + 2, K) in which all cells of the board are set, and no pads."""
    board = np.zeros((*shape[:2], 1), np.uint8)
    board[1:-1, 1:-1] = 0xFF
    return np.broadcast_to(board, shape)


def _enclosed_in(region: Plane, walls: Plane) -> Plane:
    """Return the cells (P, H + 2, W + 2, K) that each player's rings enclose within a region, without walls.

    Args:
        region: (H + 2, W + 2, K), the cells that may be enclosed; floods start from all others.
        walls: (P, H + 2, W + 2, K), the walls of each player, all of them in the region.
    """
    areas = np.empty_like(walls)
    lanes, disputed = [], []
    with _flood(walls.shape) as flood:
        for some in flood.blocks():
            np.invert(walls[..., some], out=flood.free)
            held = np.invert(flood(region[..., some]), out=flood.held)
            twice = _remove_disputed(held, flood.free, flood.spare)
            areas[..., some] = held
            if np.count_nonzero(twice):
                busy = np.flatnonzero(np.bitwise_or.reduce(twice, axis=(0, 1)))
                lanes.append(busy + some.start)
                disputed.append(twice.take(busy, axis=-1))
    if lanes:
        # Repeat with the disputed cells alone, those inside rings of several players: the inside of a ring that lies
        # within another player's ring is disputed as a whole, so that all other cells now count as outside. Each
        # repetition removes the outermost walls, so the recursion ends.
        again, region = np.concatenate(lanes), np.concatenate(disputed, axis=-1)
        _join(areas, again, _enclosed_in(region, walls.take(again, axis=-1) & region))
    return areas


def _remove_disputed(held: Plane, free: Plane, spare: Plane) -> Plane:
    """Remove from ``held``, in place, all walls and all disputed cells; return the disputed ones.

    A cell is disputed if several players hold it.

    Args:
        held: (P, H + 2, W + 2, n), the cells that each player's walls keep from the flood, the walls included.
        free: (P, H + 2, W + 2, n), all cells that are not the player's walls.
        spare: (3, H + 2, W + 2, n), working memory, overwritten; the returned plane (H + 2, W + 2, n) lies in it.
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
    """Set the flags of ``part`` (.., n), few of which are set, in the n given lanes of ``planes``, in place."""
    busy = np.flatnonzero(part != 0)
    cell, lane = np.divmod(busy, lanes.size)
    planes.reshape(-1)[cell * planes.shape[-1] + lanes.take(lane)] |= part.reshape(-1).take(busy)


def outside(free: Plane, region: Plane) -> Plane:
    """Flood from all cells outside a region through free cells, in 8 directions.

    Args:
        free: (P, H + 2, W + 2, K), cells that each player's flood may enter, among them all cells outside the region.
        region: (H + 2, W + 2, K), all cells but those where the floods start; no pad is in it.

    Returns:
        (P, H + 2, W + 2, K): the cells reached by each player's flood, the starting cells included.
    """
    reached = np.empty_like(free)
    with _flood(free.shape) as flood:
        for some in flood.blocks():
            flood.free[:] = free[..., some]
            reached[..., some] = flood(region[..., some])
    return reached


class _Memory:
    """Working memory that floods reuse one after another: allocating it anew often takes longer than a flood."""

    def __init__(self) -> None:
        self._bytes = np.empty(0, np.uint8)
        self.flood = lru_cache(maxsize=2)(partial(_Flood, self))
        """Returns the flood for planes of a shape (P, H + 2, W + 2, K). Two are cached: all turns of a match have one
        shape, and the recursion of ``_enclosed_in`` has another."""

    def __call__(self, *shape: int) -> Plane:
        """Return memory of a shape, with undefined content. It overlaps all memory that was returned before."""
        size = math.prod(shape)
        if self._bytes.size < size:
            self._bytes = np.empty(size, np.uint8)
        return self._bytes[:size].reshape(shape)


class _Flood:
    """Floods one block of boards after another. No other flood may use its memory meanwhile.

    The rows of all players that have the same y lie side by side in memory, so that one numpy call works on one row of
    all players, or on all rows. To spread in one direction is to shift this memory; the pads at the ends of rows keep a
    flood from running over into the next row.
    """

    def __init__(self, memory_of: _Memory, shape: tuple[int, ...]) -> None:
        players, height, width, self._boards = shape
        self._blocks = max(1, -(-players * height * width * self._boards // _BLOCK_BYTES))
        self._lanes = -(-self._boards // self._blocks)
        memory = memory_of(6, height, players * width * self._lanes)
        self._lines, free, self._before, *_ = memory
        planes = memory.reshape(6, height, players, width, self._lanes).swapaxes(1, 2)
        self.reached: Plane = planes[0]
        """(P, H + 2, W + 2, n): the cells reached in the present block."""
        self.free: Plane = planes[1]
        """(P, H + 2, W + 2, n): the cells of the present block that the flood may enter; the caller fills them in."""
        spare: Plane = memory[2:].reshape(4 * players, height, width, self._lanes)
        self.spare, self.held = spare[:3], spare[-players:]
        """(3, H + 2, W + 2, n) and (P, H + 2, W + 2, n): memory for the caller, overwritten with the next block. The
        part of each player is contiguous, which is faster to work on."""
        swept = self._lines.size >= _SWEEP_BYTES
        one_by_one = [(y, y + 1) for y in range(1, height - 1)]
        ways = [(one_by_one, [-1]), (one_by_one[::-1], [1])] if swept else [([(1, height - 1)], [-1, 1])]
        self._moves = [_Move(self._lines, free, memory[3:5], self._lanes, *way) for way in ways]
        self._blind = len(ways) - 1
        """How many moves to make before checking whether the flood has ended: about as many as the last flood took,
        because few walls change from turn to turn. At least one in each direction but the last: only if that one, too,
        reaches no cell, the flood has ended."""

    def blocks(self) -> Iterator[slice]:
        """Yield the lanes of each block. All blocks have the same size, so that the last two may overlap."""
        for block in range(self._blocks):
            start = min(block * self._lanes, self._boards - self._lanes)
            yield slice(start, start + self._lanes)

    def __call__(self, region: Plane) -> Plane:
        """Flood the present block from all cells outside a region, and return the cells reached."""
        np.invert(region, out=self.reached)
        moves = itertools.cycle(self._moves)
        for move in itertools.islice(moves, self._blind):
            move()
        more = 0
        while self._grows(next(moves)):
            more += 1
        self._blind = max(len(self._moves) - 1, self._blind + (more or -1))
        return self.reached

    def _grows(self, move: _Move) -> bool:
        """Make a move, and return whether it reached a new cell."""
        self._before[:] = self._lines
        move()
        self._before ^= self._lines
        return bool(np.count_nonzero(self._before))


class _Move:
    """Spreads a flood by one step into each of several stretches of rows, in order."""

    def __init__(
        self,
        reached: Plane,
        free: Plane,
        spare: Plane,
        lanes: int,
        stretches: Sequence[tuple[int, int]],
        sides: Sequence[int],
    ) -> None:
        """Compute the views of memory that each call works on.

        Args:
            reached: (H + 2, n), the rows of reached cells; each call adds cells to them.
            free: (H + 2, n), the rows of cells that the flood may enter.
            spare: (2, H + 2, n), working memory.
            lanes: the distance in memory between neighbours in a row.
            stretches: (first row, row after the last) of each stretch, all of the same length.
            sides: the rows from which a row is reached, besides itself: -1 the row above, 1 the row below.
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
        """Spread the flood."""
        column, block = self._column, self._block
        left, middle, right = self._beside
        for (near, *others), same, target, free in self._stretches:  # outputs by position: "out=" takes a fifth longer
            np.bitwise_or(near, same, column)
            for far in others:
                np.bitwise_or(column, far, column)
            np.bitwise_or(left, middle, block)
            np.bitwise_or(block, right, block)
            np.bitwise_and(block, free, target)


_idle: list[_Memory] = []
"""Working memories that no flood uses now. Threads take and return them by ``pop`` and ``append``, which are atomic."""


@contextmanager
def _flood(shape: tuple[int, ...]) -> Iterator[_Flood]:
    """Lend a flood for planes of a shape (P, H + 2, W + 2, K); no other thread uses its memory meanwhile."""
    try:
        memory = _idle.pop()
    except IndexError:
        memory = _Memory()
    try:
        yield memory.flood(shape)
    finally:
        _idle.append(memory)
