"""The grid of Back to the Code for looking ahead: sets of cells, and what a closed path fills.

A set of cells is the bits of an integer: cell (x, y) is bit ``(y + 1) * STRIDE + x + 1``, so that a shift moves a whole
set, and what is shifted over a rim ends outside the grid.
"""

from __future__ import annotations

from collections.abc import Iterator

from back_to_the_code import HEIGHT, NEUTRAL, OWN, WIDTH, Cell, View

STRIDE = WIDTH + 2


def bit(cell: Cell) -> int:
    """Return the set of one cell."""
    return 1 << (cell[1] + 1) * STRIDE + cell[0] + 1


def cell_of(one: int) -> Cell:
    """Return the cell of a set of one cell."""
    y, x = divmod(one.bit_length() - 1, STRIDE)
    return x - 1, y - 1


def bits(cells: int) -> Iterator[int]:
    """Take a set apart into sets of one cell."""
    while cells:
        one = cells & -cells
        cells ^= one
        yield one


BOARD = sum(bit((x, y)) for y in range(HEIGHT) for x in range(WIDTH))
RIM = sum(bit((x, y)) for y in range(HEIGHT) for x in range(WIDTH) if x in (0, WIDTH - 1) or y in (0, HEIGHT - 1))


def cross(cells: int) -> int:
    """Return a set with its neighbours in 4 directions; some lie outside the grid."""
    return cells | cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


def spread(cells: int) -> int:
    """Return a set with its neighbours in 8 directions; some lie outside the grid."""
    row = cells | cells << 1 | cells >> 1
    return row | row << STRIDE | row >> STRIDE


def owners(view: View) -> tuple[int, int]:
    """Return the neutral cells and your own ones."""
    sets = {NEUTRAL: 0, OWN: 0}
    for y, row in enumerate(view.rows):
        for x, owner in enumerate(row):
            if owner in sets:
                sets[owner] |= bit((x, y))
    return sets[NEUTRAL], sets[OWN]


def filled(here: int, neutral: int, own: int) -> int:
    """Return the neutral cells that a step onto a cell encloses, which is own by now."""
    if (cross(here) & own).bit_count() < 3:  # itself, and where it came from: nothing is closed
        return 0
    total, seeds = 0, spread(here) & neutral
    while seeds:
        zone, closed = _zone(seeds & -seeds, neutral, BOARD & ~neutral & ~own)
        total |= zone if closed else 0
        seeds &= ~zone
    return total


def _zone(seed: int, neutral: int, foreign: int) -> tuple[int, bool]:
    """Return the neutral cells connected with one, and whether they may be filled; it stops when they may not."""
    zone = seed
    while True:
        beside = spread(zone)
        if zone & RIM or beside & foreign:
            return zone, False
        if beside & neutral == zone:
            return zone, True
        zone = beside & neutral
