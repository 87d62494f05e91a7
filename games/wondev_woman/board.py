"""Boards as sets of bits, and tables that compute legal actions from bits.

A *plane* is a set of cells as one unsigned 64-bit number: cell (x, y) is bit 8 * (y + 1) + x + 1, its *spot*. Rows have
8 bits, of which bit 0 never stands for a cell, nor does any bit of the lowest row. So no step leads from one side of
the board to the other.

An action is a number: 128 * (0 for a move, 1 for a push) + 64 * unit + 8 * first direction + second direction. The
legal actions of a seat are 4 sets of bits, *words*: word n has a bit for each of the actions 64 n to 64 n + 63. The
order of the bits is the order of the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]
"""x and y."""
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]
Planes = NDArray[np.uint64]

SIZE_MAX: Final = 7
HEIGHT_MAX: Final = 4
"""A cell this high is out of play."""
WORDS: Final = 4

_STEPS: Final = ((1, 0), (0, -1), (1, -1), (-1, -1), (0, 1), (1, 1), (-1, 1), (-1, 0))
DIRECTIONS: Final = dict(zip(("E", "N", "NE", "NW", "S", "SE", "SW", "W"), _STEPS, strict=True))
"""Steps in x and y by name, in the order of the protocol: that of the alphabet."""
_COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

EVERY: Final = np.uint64(2**64 - 1)
"""The plane of all bits."""

# numpy converts no constants of its own type, which saves time on a single board.
_ONE = np.uint64(1)
_BACK_ONE, _BACK_TWO = np.uint64(9), np.uint64(18)
"""Number of bits between the first cell of a window and its middle; a window has the cells within one step, or two."""
_TWO_ROWS_ON = np.uint64(16)
_NEAR_ROW, _TWO_NEAR_ROWS = np.uint64(0x07), np.uint64(0x0707)
"""Masks of one row, and of two rows, of a window of one step."""
_ROW, _TWO_ROWS = np.uint64(0x1F), np.uint64(0x1F1F)
"""Masks of one row, and of two rows, of a window of two steps."""
_CENTRE = np.uint64(64)
"""The index of distance 0 in the table ``_CONES``."""


def spot(x: int, y: int) -> int:
    """Return the spot of a cell."""
    return 8 * (y + 1) + x + 1


def cell(number: int) -> Cell:
    """Return x and y of the cell at a spot."""
    return number % 8 - 1, number // 8 - 1


def pushable(direction: str) -> frozenset[str]:
    """Return the directions in which a unit that stands in this direction may be pushed: straight on or 45° aside."""
    at = _COMPASS.index(direction)
    return frozenset(_COMPASS[(at + turn) % 8] for turn in (-1, 0, 1))


def at(spots: Planes) -> Planes:
    """Return planes that contain only the given spots, one each."""
    return np.left_shift(_ONE, spots)


def looked_up(table: Planes, index: Planes) -> Planes:
    """Return the entries of a table; each index must be less than 2**63."""
    return table.take(index.view(np.int64))


def _table(columns: Sequence[Cell], entry: Callable[[int, int], int]) -> Planes:
    """Return a table indexed by the bits k of a part of a window: the union of ``entry(dx, dy)`` over the cells in k.

    ``columns`` are dx and dy of the cells of this part; the bit of a cell is 8 * (dy - least dy) + dx - least dx.
    ``entry`` returns the bits of a word that a cell contributes.
    """
    left, top = (min(place[axis] for place in columns) for axis in (0, 1))
    bits = {8 * (dy - top) + dx - left: entry(dx, dy) for dx, dy in columns}
    numbers = np.arange(2 << max(bits), dtype=np.uint64)
    table = np.zeros_like(numbers)
    for bit, contribution in bits.items():
        table |= (numbers >> np.uint64(bit) & np.uint64(1)) * np.uint64(contribution)
    return table


def _two_steps(dx: int, dy: int) -> int:
    """Return the bits of a word whose two steps lead to the cell (dx, dy)."""
    return sum(
        1 << 8 * first + second
        for first, (ax, ay) in enumerate(_STEPS)
        for second, (bx, by) in enumerate(_STEPS)
        if (ax + bx, ay + by) == (dx, dy)
    )


def _first_step(dx: int, dy: int) -> int:
    """Return the bits of a word whose first step leads to the cell (dx, dy)."""
    return 0xFF << 8 * _STEPS.index((dx, dy)) if dx or dy else 0


def _second_step(dx: int, dy: int) -> int:
    """Return the bits of a word whose second step leads to (dx, dy), relative to where the first one has led."""
    return 0x0101010101010101 << _STEPS.index((dx, dy)) if dx or dy else 0


def _rows(reach: int, *dys: int) -> list[Cell]:
    return [(dx, dy) for dy in dys for dx in range(-reach, reach + 1)]


_ENDS = [_table(_rows(2, *dys), _two_steps) for dys in ((-2, -1), (0, 1), (2,))]
_FIRSTS = [_table(_rows(1, *dys), _first_step) for dys in ((-1, 0), (1,))]
_SECONDS = [_table(_rows(1, *dys), _second_step) for dys in ((-1, 0), (1,))]


def ends(plane: Planes, spots: Planes) -> Planes:
    """Return words: the pairs of steps from a spot that end on a cell of the plane, wherever the first step leads.

    Steps across the upper or left rim may be wrong; combine the result with that of ``firsts``.
    """
    # numpy's shifts by more than 63, among them negative numbers as unsigned ones, give 0: one of the two counts.
    window = plane >> (spots - _BACK_TWO)
    window |= plane << (_BACK_TWO - spots)
    words = looked_up(_ENDS[0], window & _TWO_ROWS)
    window >>= _TWO_ROWS_ON
    words |= looked_up(_ENDS[1], window & _TWO_ROWS)
    window >>= _TWO_ROWS_ON
    words |= looked_up(_ENDS[2], window & _ROW)
    return words


def firsts(plane: Planes, spots: Planes) -> Planes:
    """Return words: the pairs of steps whose first step leads from a spot to a cell of the plane."""
    return _near(_FIRSTS, plane, spots)


def seconds(plane: Planes, spots: Planes) -> Planes:
    """Return words: the pairs of steps whose second step leads from a spot, where the first ended, to the plane."""
    return _near(_SECONDS, plane, spots)


def _near(tables: list[Planes], plane: Planes, spots: Planes) -> Planes:
    window = plane >> (spots - _BACK_ONE)
    words = looked_up(tables[0], window & _TWO_NEAR_ROWS)
    window >>= _TWO_ROWS_ON
    words |= looked_up(tables[1], window & _NEAR_ROW)
    return words


def _zones() -> Planes:
    zones = np.zeros(64, np.uint64)
    for number in range(spot(0, 0), 64):
        around = [number + 8 * dy + dx for dx, dy in (*_STEPS, (0, 0))]
        zones[number] = sum(1 << near for near in around if near < 64)
    return zones


_ZONES = _zones()


def zone(spots: Planes) -> Planes:
    """Return planes: the spots at a distance of 0 or 1 from each spot."""
    return looked_up(_ZONES, spots)


def _cones() -> Planes:
    cones = np.zeros(128, np.uint64)
    names = list(DIRECTIONS)
    for first, (name, (dx, dy)) in enumerate(DIRECTIONS.items()):
        cones[64 + 8 * dy + dx] = sum(1 << 8 * first + names.index(second) for second in pushable(name))
    return cones


_CONES = _cones()


def cone(pusher: Planes, pushed: Planes) -> Planes:
    """Return words: the pairs of steps that are allowed directions of a push; 0 if the units are not neighbours."""
    return looked_up(_CONES, pushed - pusher + _CENTRE)


def _spot_steps() -> tuple[Planes, Planes]:
    steps = [8 * dy + dx for dx, dy in _STEPS]
    first = np.array(steps).repeat(8)
    return first.astype(np.uint64), (first + np.tile(steps, 8)).astype(np.uint64)


FIRST_STEP, BOTH_STEPS = _spot_steps()
"""(64,): the differences that the first step of an action, and both steps, make to a spot, by the lower 6 bits of the
action's number. Negative ones are modulo 2**64, so that they can be added."""
