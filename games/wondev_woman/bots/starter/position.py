"""The rules of Wondev Woman for searches: the legal actions in a position, and the positions after them.

A set of cells is an integer with a bit for each cell: cell (x, y) is bit ``(y + 1) * WIDTH + x + 1``. A shift moves the
whole set, and cells that are shifted over a rim end outside the board. A unit is the set of its cell, 0 if that is not
known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from wondev_woman import Cell, View

WIDTH = 9
DIRECTIONS = {
    "E": 1,
    "N": -WIDTH,
    "NE": 1 - WIDTH,
    "NW": -1 - WIDTH,
    "S": WIDTH,
    "SE": WIDTH + 1,
    "SW": WIDTH - 1,
    "W": -1,
}
"""By how many bits a step shifts a cell."""
RING = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The directions, clockwise."""


class Action(NamedTuple):
    """An action of a unit: step to ``near`` and build on ``far``, or push the unit on ``near`` to ``far``."""

    unit: int
    """0 or 1."""
    near: int
    far: int
    push: bool
    gain: int
    """Points scored: 1 for a step onto height 3."""


class Position(NamedTuple):
    """A board and the units on it, as far as known."""

    low: tuple[int, int, int, int]
    """The sets of cells of height 0, of at most 1, of at most 2, of at most 3."""
    units: tuple[int, int, int, int]
    """Two units of seat 0 (the bot), two of seat 1; the second ones are 0 in leagues with one unit each."""

    def height(self, cell: int) -> int:
        """Return the height of a cell, 4 if it does not exist."""
        return sum(not cell & low for low in self.low)

    def actions(self, seat: int) -> Iterator[Action]:
        """Yield the actions of a seat that are legal if there are no other units than those known."""
        a, b, c, d = self.units
        taken, foes = a | b | c | d, (a | b) if seat else (c | d)
        foes = foes if b else 0  # there are no pushes in leagues with one unit each
        for unit in (0, 1):
            start = self.units[2 * seat + unit]
            if start:
                yield from self._moves(unit, start, taken)
                yield from self._pushes(unit, start, taken, foes & spread(start))

    def after(self, seat: int, action: Action) -> Position:
        """Return the position after an action of a seat."""
        units, old = list(self.units), self.units[2 * seat + action.unit]
        if action.push:
            units[units.index(action.near)] = action.far
            return Position(self.built(action.near), tuple(units))
        units[units.index(old)] = action.near
        return Position(self.built(action.far), tuple(units))

    def built(self, cell: int) -> tuple[int, int, int, int]:
        """Return ``low`` after a cell has been raised by one level."""
        a, b, c, d = self.low
        if cell & a:
            return a ^ cell, b, c, d
        if cell & b:
            return a, b ^ cell, c, d
        return (a, b, c ^ cell, d) if cell & c else (a, b, c, d ^ cell)

    def climb(self, cell: int) -> int:
        """Return the cells that are low enough to step on from a cell, near or far."""
        a, b, c, d = self.low
        return b if cell & a else c if cell & b else d

    def flood(self, cells: int) -> int:
        """Return cells together with all cells to which units on them could step."""
        a, b, c, d = self.low
        return cells | spread(cells & a) & b | spread(cells & b & ~a) & c | spread(cells & ~b) & d

    def _moves(self, unit: int, start: int, taken: int) -> Iterator[Action]:
        free = self.low[3] & ~(taken ^ start)
        for near in bits(spread(start) & self.climb(start) & ~taken):
            gain = 0 if near & self.low[2] else 1
            for far in bits(spread(near) & free & ~near):
                yield Action(unit, near, far, False, gain)

    def _pushes(self, unit: int, start: int, taken: int, victims: int) -> Iterator[Action]:
        for near in bits(victims):
            for far in bits(landings(start, near) & self.climb(near) & ~taken):
                yield Action(unit, near, far, True, 0)


def position(view: View, foes: tuple[int, int] | None = None) -> Position:
    """Return the position of a view; the enemy's units are at ``foes`` or, without these, where they are seen."""
    cells = dict.fromkeys(".01234", 0)
    for y, row in enumerate(view.rows):
        for x, height in enumerate(row):
            cells[height] |= bit((x, y))
    low = [cells["0"]]
    for height in "123":
        low.append(low[-1] | cells[height])
    mine, seen = ([bit(cell) for cell in cells] + [0] * (2 - len(cells)) for cells in (view.mine, view.foes))
    return Position(tuple(low), (*mine, *(foes or seen)))


def bit(cell: Cell | None) -> int:
    """Return the set of one cell; 0 for None."""
    return 1 << (cell[1] + 1) * WIDTH + cell[0] + 1 if cell else 0


def bits(cells: int) -> Iterator[int]:
    """Yield each cell of a set as a set of one cell."""
    while cells:
        cell = cells & -cells
        cells ^= cell
        yield cell


def spread(cells: int) -> int:
    """Return a set with all neighbours of its cells, which may lie outside the board."""
    row = cells | cells << 1 | cells >> 1
    return row | row << WIDTH | row >> WIDTH


def shift(cell: int, direction: str) -> int:
    """Return the neighbour of a cell in a direction."""
    step = DIRECTIONS[direction]
    return cell << step if step > 0 else cell >> -step


@cache
def landings(start: int, near: int) -> int:
    """Return the cells to which a unit on ``start`` may push one on ``near``: straight on, or 45 degrees aside."""
    at = next(i for i, name in enumerate(RING) if shift(start, name) == near)
    return shift(near, RING[at - 1]) | shift(near, RING[at]) | shift(near, RING[(at + 1) % 8])


def line(start: int, action: Action) -> str:
    """Return the line of the protocol for an action whose unit stands on ``start``."""
    kind = "PUSH&BUILD" if action.push else "MOVE&BUILD"
    return f"{kind} {action.unit} {direction(start, action.near)} {direction(action.near, action.far)}"


@cache
def direction(start: int, target: int) -> str:
    """Return the direction from a cell to its neighbour."""
    return next(name for name in DIRECTIONS if shift(start, name) == target)
