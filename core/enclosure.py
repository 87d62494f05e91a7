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

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]

_SWEEP_BYTES = 500_000
"""Floods of this size on are swept. Below, the many small calls of a sweep cost more than the steps they save."""
_BLIND_STEPS = 3
"""Steps between two tests for the end of a flood: a test costs as much as a step, and few floods end within four."""

_PICKED_SHARE = 0.25
"""Picking single lanes out of planes is slow; it pays when less than this share of them is needed."""


def pack(flags: NDArray[np.bool_ | np.uint8]) -> Plane:
    """Return flags (.., B), set where not 0, as a plane (.., K)."""
    return np.packbits(flags, axis=-1)


def members(plane: Plane) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers of the cells (n,) that are set in a plane, and of the boards (n,) they lie on."""
    lanes = plane.shape[-1]
    busy = np.flatnonzero(plane)
    bit = np.flatnonzero(np.unpackbits(plane.reshape(-1)[busy]))
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
    board = np.zeros(walls.shape[1:], np.uint8)
    board[1:-1, 1:-1] = 0xFF
    rooms: Plane = _held(walls, board) & ~np.bitwise_or.reduce(walls)
    return rooms


def _held(walls: Plane, room: Plane) -> Plane:
    """Return what each player's rings and walls hold, walls of anybody included.

    Args:
        walls: (P, H + 2, W + 2, K), all of them in the room.
        room: (H + 2, W + 2, K), cells that may be held; all others are outside.
    """
    inside = ~outside(~walls, room)
    disputed = _twice(inside)
    inside &= ~disputed
    if disputed.any():
        # Look again, with the disputed cells alone: a ring all of whose walls lie in a ring of another player has its
        # inside there, too, so what is settled is now outside. The outermost walls are settled each time: this ends.
        lanes = _busy_lanes(disputed)
        if lanes.size < disputed.shape[-1] * _PICKED_SHARE:
            disputed = disputed.take(lanes, axis=-1)
            _join(inside, lanes, _held(walls.take(lanes, axis=-1) & disputed, disputed))
        else:
            inside |= _held(walls & disputed, disputed)
    return inside


def _busy_lanes(plane: Plane) -> NDArray[np.intp]:
    """Return the lanes in which any flag is set."""
    return np.flatnonzero(np.bitwise_or.reduce(plane, axis=(0, 1)))


def _join(planes: Plane, lanes: NDArray[np.intp], part: Plane) -> None:
    """Add the flags of ``part`` to some lanes of ``planes``, in place."""
    # planes[..., lanes] |= part, but that is five times slower.
    at = np.arange(0, planes.size, planes.shape[-1])[:, None] + lanes
    planes.reshape(-1)[at] |= part.reshape(at.shape)


def _twice(inside: Plane) -> Plane:
    """Return (H + 2, W + 2, K): cells that two or more players hold."""
    once: Plane = np.zeros_like(inside[0])
    twice: Plane = np.zeros_like(inside[0])
    for plane in inside:
        twice |= once & plane
        once |= plane
    return twice


def outside(free: Plane, room: Plane) -> Plane:
    """Flood from all that is not room through free cells, in 8 directions.

    Args:
        free: (P, H + 2, W + 2, K), cells that each player's flood may enter; the pads are among them.
        room: (H + 2, W + 2, K), all but the cells where the floods start; no pad is among them.

    Returns:
        (P, H + 2, W + 2, K): the cells reached; those where the floods start count only if they are free.
    """
    reached = np.empty_like(free)
    reached[:] = ~room
    swept = free.nbytes >= _SWEEP_BYTES
    step = _Step(reached, free)
    while True:
        if swept:
            _sweep(reached, free)
            _sweep(reached.swapaxes(1, 2), free.swapaxes(1, 2))
        else:
            for _ in range(_BLIND_STEPS):
                step()
        if step.is_last():
            return reached


class _Step:
    """One step of a flood in all 8 directions at once, over the whole board.

    Rows lie end to end, so each direction is one shift of the whole line of cells; pads keep rows apart.
    """

    def __init__(self, reached: Plane, free: Plane) -> None:
        players, height, width, lanes = reached.shape
        line = players, height * width, lanes
        reached, free = reached.reshape(line), free.reshape(line)
        self._above, self._same, self._below = (
            reached[:, : -2 * width],
            reached[:, width:-width],
            reached[:, 2 * width :],
        )
        self._reached, self._free = reached[:, width + 1 : -width - 1], free[:, width + 1 : -width - 1]
        self._column, self._block = np.empty_like(self._same), np.empty_like(self._reached)

    def __call__(self) -> None:
        """Do it."""
        self._reached[:] = self._next()

    def is_last(self) -> bool:
        """Do it, and tell whether nothing new was reached."""
        after = self._next()
        last = np.array_equal(after, self._reached)
        self._reached[:] = after
        return last

    def _next(self) -> Plane:
        np.bitwise_or(self._above, self._same, out=self._column)
        np.bitwise_or(self._column, self._below, out=self._column)
        np.bitwise_or(self._column[:, :-2], self._column[:, 1:-1], out=self._block)
        np.bitwise_or(self._block, self._column[:, 2:], out=self._block)
        return np.bitwise_and(self._block, self._free, out=self._block)


def _sweep(reached: Plane, free: Plane) -> None:
    """Spread from line to line, forth and back: in these two directions as far as the flood goes at once."""
    players, height, width, lanes = reached.shape
    column = np.empty((players, width, lanes), np.uint8)
    block = np.empty((players, width - 2, lanes), np.uint8)
    forth = range(1, height - 1)
    for lines, before in ((forth, -1), (reversed(forth), 1)):
        for y in lines:
            np.bitwise_or(reached[:, y], reached[:, y + before], out=column)
            np.bitwise_or(column[:, :-2], column[:, 1:-1], out=block)
            np.bitwise_or(block, column[:, 2:], out=block)
            np.bitwise_and(block, free[:, y, 1:-1], out=reached[:, y, 1:-1])
