"""The board of 25 panels: which panels a colour may take, and which ones turn over when it does.

Panels are numbered row by row, as in the rules. Number 0 is padding, which has no owner and does not count as empty:

     1  2  3  4  5
     6  7  8  9 10
    11 12 13 14 15
    16 17 18 19 20
    21 22 23 24 25

A *plane* is a set of panels on each of B boards: uint8 (26, K), where the first axis is the panel's number and each
board has a bit, eight boards in a byte, the first in the highest bit; K = ceil(B / 8). One operation on a byte works on
eight boards, and a single board needs no code of its own. Bits beyond the last board are undefined.

Runs of panels are found along *lines*: rows, columns and diagonals of at least three panels, padded to five. On a line
of five, only the three in the middle can lie between two others.
"""

from __future__ import annotations

from enum import IntEnum
from functools import partial

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]

PANELS = 25
CENTRE = 13


class Class(IntEnum):
    """Why a colour may take a panel. Only panels of the first class that has any may be taken."""

    CENTRE = 0
    """The board is empty, and the panel is in the middle."""
    FLIPS = 1
    """Panels of others turn over."""
    PREPARES = 2
    """In some direction there are panels of others, and behind them an empty panel: taking that next would turn them
    over."""
    TOUCHES = 3
    """The panel is next to an owned one."""


def _lines() -> NDArray[np.intp]:
    """Return (5, 20): the panel at each position of each line."""
    grid = np.arange(1, PANELS + 1).reshape(5, 5)
    diagonals = [np.diagonal(side, offset) for side in (grid, grid[:, ::-1]) for offset in range(-2, 3)]
    lines = [*grid, *grid.T, *diagonals]
    return np.stack([np.pad(line, (0, 5 - len(line))) for line in lines], axis=1)


def _places() -> NDArray[np.intp]:
    """Return (4, 26): the indices of each panel in the flattened lines; a panel on fewer lines has some repeated."""
    flat = LINES.reshape(-1)
    return np.stack([np.resize(np.flatnonzero(flat == panel), 4) for panel in range(PANELS + 1)], axis=1)


LINES = _lines()
PLACES = _places()


def pack(flags: NDArray[np.bool_ | np.uint8]) -> Plane:
    """Return flags (.., B) packed into bits (.., K)."""
    return np.packbits(flags, axis=-1)


def unpack(bits: Plane, boards: int) -> NDArray[np.uint8]:
    """Return bits (.., K) unpacked into 0 and 1 (.., B)."""
    return np.unpackbits(bits, axis=-1, count=boards)


def single(panel: NDArray[np.integer]) -> Plane:
    """Return the plane with one panel on each board, given its number (B,); with none where it is 0."""
    numbers = np.arange(PANELS + 1, dtype=np.int8)[:, None]
    return pack((numbers == panel.astype(np.int8)) & (numbers > 0))


def board(bits: Plane, b: int) -> NDArray[np.uint8]:
    """Return the bits (.., K) of board b as 0 and 1 (..)."""
    return bits[..., b >> 3] >> np.uint8(7 - (b & 7)) & np.uint8(1)


def takes(own: Plane, other: Plane) -> tuple[Plane, Plane]:
    """Return the plane of the panels that a colour may take, and (4, K): their ``Class`` on each board.

    The latter has, for each ``Class``, a set bit for each board on which the panels belong to it. There is at least one
    panel unless the board is full. ``own`` is the plane of the colour's panels, ``other`` that of all others' panels.
    """
    owned = own | other
    empty = ~owned
    empty[0] = 0
    forth, back = _runs(np.stack([own, empty]), other)
    ends = np.empty((2, 5, *forth.shape[2:]), np.uint8)
    ends[:, 3:], ends[:, :2] = forth[:, 1:], back[:, :2]
    np.bitwise_or(forth[:, 0], back[:, 2], out=ends[:, 2])
    flipping, preparing = _panels(ends) & empty
    flips, prepares = _any(flipping), _any(preparing)
    touches = ~(flips | prepares)
    legal: Plane = flipping | preparing & ~flips | _around(owned) & empty & touches
    bare = ~_any(owned)
    legal[CENTRE] |= bare
    return legal, np.stack([bare, flips, prepares & ~flips, touches & ~bare])


def flipped(own: Plane, other: Plane, panel: Plane) -> Plane:
    """Return the plane of the panels that turn over when a colour takes an empty panel, one on each board.

    ``own`` and ``other`` are those of ``takes``, ``panel`` is the plane of the panel taken.
    """
    forth, back = _runs(np.stack([own, panel]), other)
    between = np.zeros((5, *forth.shape[2:]), np.uint8)
    np.bitwise_or(forth[0] & back[1], back[0] & forth[1], out=between[1:4])
    return _panels(between)


def chosen(legal: Plane, boards: int, rng: np.random.Generator) -> Plane:
    """Return a plane with a random panel of the plane ``legal`` on each of so many boards; with none where it has none.

    The chances of two panels differ by less than 25 / 65,536.
    """
    flags = unpack(legal[1:], boards)
    rank = np.empty_like(flags)
    rank[0] = flags[0]
    for row in range(1, PANELS):  # np.cumsum is ten times slower along this axis
        np.add(rank[row - 1], flags[row], out=rank[row])
    dice = np.frombuffer(rng.bytes(2 * boards), np.uint16).astype(np.uint32)
    rank -= (dice * rank[-1] >> 16).astype(np.uint8)
    rank *= flags
    panel = np.zeros_like(legal)
    panel[1:] = pack(rank == 1)
    return panel


def _runs(starts: Plane, other: Plane) -> tuple[Plane, Plane]:
    """Find runs of panels of other colours that begin next to a start, along all lines.

    ``starts`` (n, 26, K) are n planes of starts, which do not overlap with ``other``, the plane of other colours'
    panels. Both results are (n, 3, 20, K), for the panels at positions 1, 2 and 3 of each line: whether each belongs to
    a run that begins after a start at a lower position, and whether to one after a start at a higher position.
    """
    start, middle = starts.take(LINES, axis=1), other.take(LINES[1:4], axis=0)
    return _run(start, middle, 0, (0, 1, 2)), _run(start, middle, 4, (2, 1, 0))


def _run(start: Plane, middle: Plane, edge: int, way: tuple[int, ...]) -> Plane:
    """Find the runs in one direction from position ``edge``; index i of ``middle`` is position i + 1 of ``start``."""
    reached = np.empty((len(start), *middle.shape), np.uint8)
    before = start[:, edge]
    for i in way:
        np.bitwise_and(before, middle[i], out=reached[:, i])
        before = start[:, i + 1] | reached[:, i]
    return reached


def _panels(lines: Plane) -> Plane:
    """Return the planes (.., 26, K) of the panels that are set on any of their lines (.., 5, 20, K)."""
    flat = lines.reshape(*lines.shape[:-3], LINES.size, -1)
    found: Plane = np.bitwise_or.reduce(flat.take(PLACES, axis=-2), axis=-3)
    return found


def _around(owned: Plane) -> Plane:
    """Return the plane of panels and their neighbours in 8 directions."""
    near = np.zeros_like(owned)
    grid = owned[1:].reshape(5, 5, -1)
    wide = near[1:].reshape(5, 5, -1)
    wide[:] = grid
    wide[:, 1:] |= grid[:, :-1]
    wide[:, :-1] |= grid[:, 1:]
    row = wide.copy()
    wide[1:] |= row[:-1]
    wide[:-1] |= row[1:]
    return near


_any = partial(np.bitwise_or.reduce, axis=-2)
"""Returns (K,): the boards on which any panel of a plane is set."""
