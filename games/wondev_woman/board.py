"""How a board lies in 64 bits, and the tables that turn bits into actions.

A set of cells is one unsigned 64-bit number, a *plane*: cell (x, y) is bit 8 * (y + 1) + x + 1, its *spot*. Row 0 and
column 0 never hold a cell, and what is left of column 0 is the right rim of the row above: so no step leads from one
side of a board to the other.

An action is a number: 128 * (0 move, 1 push) + 64 * unit + 8 * first direction + second direction. The legal actions
of a seat are 4 planes of another kind, *words*: word n holds the actions 64 n to 64 n + 63, a bit each. So the order of
the bits is the order of the protocol.
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

DIRECTIONS: Final = {
    "E": (1, 0),
    "N": (0, -1),
    "NE": (1, -1),
    "NW": (-1, -1),
    "S": (0, 1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
}
"""Steps in x and y by name, in the order of the protocol: that of the alphabet."""
_STEPS: Final = tuple(DIRECTIONS.values())
_COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

EVERY: Final = np.uint64(2**64 - 1)
"""The plane of all bits."""

# numpy takes constants of its own type without asking twice, which counts on a single board.
_ONE = np.uint64(1)
_BACK_ONE, _BACK_TWO = np.uint64(9), np.uint64(18)
"""From the middle of a window to its first bit, for a reach of one step or two."""
_TWO_ROWS_ON = np.uint64(16)
_NEAR_ROW, _TWO_NEAR_ROWS = np.uint64(0x07), np.uint64(0x0707)
"""The bits of a window of one step's reach."""
_ROW, _TWO_ROWS = np.uint64(0x1F), np.uint64(0x1F1F)
"""The bits of a window of two steps' reach."""
_CENTRE = np.uint64(64)
"""Where the table of cones has a distance of 0."""


def spot(x: int, y: int) -> int:
    """Return the number of a cell."""
    return 8 * (y + 1) + x + 1


def cell(number: int) -> Cell:
    """Return x and y of a spot."""
    return number % 8 - 1, number // 8 - 1


def pushable(direction: str) -> frozenset[str]:
    """Return where a unit may be pushed that stands in this direction: straight on, or one to either side."""
    at = _COMPASS.index(direction)
    return frozenset(_COMPASS[(at + turn) % 8] for turn in (-1, 0, 1))


def at(spots: Planes) -> Planes:
    """Return the plane of each spot alone."""
    return np.left_shift(_ONE, spots)


def looked_up(table: Planes, index: Planes) -> Planes:
    """Return the table's entries; an index must be less than 2**63."""
    return table.take(index.view(np.int64))


def _table(columns: Sequence[Cell], entry: Callable[[int, int], int]) -> Planes:
    """Return a table by a window of some rows: entry k unites ``entry(dx, dy)`` of the cells that are bits of k.

    Args:
        columns: dx and dy of the cells; a window's bit is 8 * (dy - least dy) + dx - least dx.
        entry: what a cell contributes.
    """
    left, top = (min(place[axis] for place in columns) for axis in (0, 1))
    bits = {8 * (dy - top) + dx - left: entry(dx, dy) for dx, dy in columns}
    numbers = np.arange(2 << max(bits), dtype=np.uint64)
    table = np.zeros_like(numbers)
    for bit, contribution in bits.items():
        table |= (numbers >> np.uint64(bit) & np.uint64(1)) * np.uint64(contribution)
    return table


def _two_steps(dx: int, dy: int) -> int:
    """Return the bits of a word whose two steps end there."""
    return sum(
        1 << 8 * first + second
        for first, (ax, ay) in enumerate(_STEPS)
        for second, (bx, by) in enumerate(_STEPS)
        if (ax + bx, ay + by) == (dx, dy)
    )


def _first_step(dx: int, dy: int) -> int:
    """Return the bits of a word whose first step ends there."""
    return 0xFF << 8 * _STEPS.index((dx, dy)) if dx or dy else 0


def _second_step(dx: int, dy: int) -> int:
    """Return the bits of a word whose second step ends there, counted from where the first one ended."""
    return 0x0101010101010101 << _STEPS.index((dx, dy)) if dx or dy else 0


def _rows(reach: int, *dys: int) -> list[Cell]:
    return [(dx, dy) for dy in dys for dx in range(-reach, reach + 1)]


_ENDS = [_table(_rows(2, *dys), _two_steps) for dys in ((-2, -1), (0, 1), (2,))]
_FIRSTS = [_table(_rows(1, *dys), _first_step) for dys in ((-1, 0), (1,))]
_SECONDS = [_table(_rows(1, *dys), _second_step) for dys in ((-1, 0), (1,))]


def ends(plane: Planes, spots: Planes) -> Planes:
    """Return words: the pairs of steps from a spot that end on the plane, wherever the first one leads.

    Steps across the upper or left rim may be wrong: mask them by ``firsts``.
    """
    # numpy shifts by more than 63, such as 64-bit numbers below 0, to 0: only one of the two is left.
    window = plane >> (spots - _BACK_TWO)
    window |= plane << (_BACK_TWO - spots)
    words = looked_up(_ENDS[0], window & _TWO_ROWS)
    window >>= _TWO_ROWS_ON
    words |= looked_up(_ENDS[1], window & _TWO_ROWS)
    window >>= _TWO_ROWS_ON
    words |= looked_up(_ENDS[2], window & _ROW)
    return words


def firsts(plane: Planes, spots: Planes) -> Planes:
    """Return words: the pairs of steps whose first one leads from a spot to the plane."""
    return _near(_FIRSTS, plane, spots)


def seconds(plane: Planes, spots: Planes) -> Planes:
    """Return words: the pairs of steps whose second one leads from a spot, where the first one ended, to the plane."""
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
    """Return planes: the spots at a distance of 0 or 1."""
    return looked_up(_ZONES, spots)


def _cones() -> Planes:
    cones = np.zeros(128, np.uint64)
    names = list(DIRECTIONS)
    for first, (name, (dx, dy)) in enumerate(DIRECTIONS.items()):
        cones[64 + 8 * dy + dx] = sum(1 << 8 * first + names.index(second) for second in pushable(name))
    return cones


_CONES = _cones()


def cone(pusher: Planes, pushed: Planes) -> Planes:
    """Return words: the pairs of steps by which a unit may push another, as far as directions go; 0 if too far."""
    return looked_up(_CONES, pushed - pusher + _CENTRE)


def _spot_steps() -> tuple[Planes, Planes]:
    steps = [8 * dy + dx for dx, dy in _STEPS]
    first = np.array(steps).repeat(8)
    return first.astype(np.uint64), (first + np.tile(steps, 8)).astype(np.uint64)


FIRST_STEP, BOTH_STEPS = _spot_steps()
"""(64,): what an action's first step, and both together, add to a spot, by the lower 6 bits of its number. They are
taken modulo 2**64, so that adding them also subtracts."""
