"""The grid of Back to the Code for searches: sets of cells, and the cells that a closed path fills.

A set of cells is an integer with a bit for each cell: cell (x, y) is bit ``(y + 1) * STRIDE + x + 1``. A shift moves
the whole set, and cells that are shifted over a rim end outside the grid.
"""

from __future__ import annotations

from collections.abc import Iterator

from back_to_the_code import HEIGHT, NEUTRAL, OWN, WIDTH, Cell, View

STRIDE = WIDTH + 2


def bit(cell: Cell) -> int:
    """Return the set that contains one cell."""
    return 1 << (cell[1] + 1) * STRIDE + cell[0] + 1


def cell_of(one: int) -> Cell:
    """Return the cell in a set of one cell."""
    y, x = divmod(one.bit_length() - 1, STRIDE)
    return x - 1, y - 1


def bits(cells: int) -> Iterator[int]:
    """Yield each cell of a set as a set of one cell."""
    while cells:
        one = cells & -cells
        cells ^= one
        yield one


BOARD = sum(bit((x, y)) for y in range(HEIGHT) for x in range(WIDTH))
RIM = sum(bit((x, y)) for y in range(HEIGHT) for x in range(WIDTH) if x in (0, WIDTH - 1) or y in (0, HEIGHT - 1))


def cross(cells: int) -> int:
    """Return a set with its neighbours in 4 directions, which may lie outside the grid."""
    return cells | cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


def spread(cells: int) -> int:
    """Return a set with its neighbours in 8 directions, which may lie outside the grid."""
    row = cells | cells << 1 | cells >> 1
    return row | row << STRIDE | row >> STRIDE


def owners(view: View) -> tuple[int, int]:
    """Return the sets of neutral cells and of your cells."""
    sets = {NEUTRAL: 0, OWN: 0}
    for y, row in enumerate(view.rows):
        for x, owner in enumerate(row):
            if owner in sets:
                sets[owner] |= bit((x, y))
    return sets[NEUTRAL], sets[OWN]


def filled(here: int, neutral: int, own: int) -> int:
    """Return the neutral cells that are enclosed by a step onto the cell ``here``; ``own`` contains it already."""
    if (cross(here) & own).bit_count() < 3:  # only the cell itself and the one before it: nothing is enclosed
        return 0
    total, seeds = 0, spread(here) & neutral
    while seeds:
        zone, closed = _zone(seeds & -seeds, neutral, BOARD & ~neutral & ~own)
        total |= zone if closed else 0
        seeds &= ~zone
    return total


def _zone(seed: int, neutral: int, foreign: int) -> tuple[int, bool]:
    """Return neutral cells connected with a seed, and whether they are enclosed; only then all of them are found."""
    zone = seed
    while True:
        beside = spread(zone)
        if zone & RIM or beside & foreign:
            return zone, False
        if beside & neutral == zone:
            return zone, True
        zone = beside & neutral
