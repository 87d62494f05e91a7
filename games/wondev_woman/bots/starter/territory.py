"""Evaluates a position for seat 0: territory, height and freedom of its units, less those of the enemy's."""

from __future__ import annotations

from random import sample

from position import Position, position, spread
from wondev_woman import View

CELL, HEIGHT, FREEDOM, STUCK = 4, 3, 1, 20
"""The worth of a cell of territory, of a level of height, of a cell to step on next, and the cost of a stuck unit."""
PAIRS_MAX = 24


def worth(position: Position, mover: int) -> int:
    """Return the value of a position for seat 0, with the seat ``mover`` to move."""
    a, b, c, d = position.units
    mine, his = territory(position, mover)
    value = CELL * (mine.bit_count() - his.bit_count())
    return value + sum(standing(position, unit) for unit in (a, b)) - sum(standing(position, unit) for unit in (c, d))


def worst(view: View, pairs: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the places of the enemy's units that are worst for seat 0, among a sample of the possible ones."""
    some = sample(pairs, min(len(pairs), PAIRS_MAX))
    return min(some, key=lambda pair: worth(position(view, pair), 0))


def standing(position: Position, unit: int) -> int:
    """Return the value of the place of a unit; 0 for a unit without a known place."""
    if not unit:
        return 0
    steps = (spread(unit) & position.climb(unit) & ~sum(position.units)).bit_count()
    return HEIGHT * position.height(unit) + (FREEDOM * steps if steps else -STUCK)


def territory(position: Position, mover: int) -> tuple[int, int]:
    """Return the cells that seat 0 reaches first, and those that seat 1 reaches first; the mover wins ties.

    It is a Voronoi diagram, computed by a breadth-first search from both seats' units at once.
    """
    a, b, c, d = position.units
    front, other = a | b, c | d
    mine = his = 0
    free = position.low[3] & ~(front | other)
    while front or other:
        front, other = position.flood(front) & free, position.flood(other) & free
        if mover:
            front &= ~other
        else:
            other &= ~front
        free &= ~(front | other)
        mine |= front
        his |= other
    return mine, his
