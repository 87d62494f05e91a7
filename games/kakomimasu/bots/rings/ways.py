"""Finds promising ways of a few steps for an agent."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from future import Way
from kakomimasu import Board, Cell

STEPS = 3
LATER = 0.7
"""Factor for the worth of a cell that is reached one step later."""
PLACES = 20
"""Number of ways for an agent that is not on the board yet."""

Worths = dict[Cell, float]


def promising(board: Board, cell: Cell | None, worths: Iterable[Worths], taken: set[Cell]) -> list[Way]:
    """Return the best ways of an agent, one that begins on each free cell in reach for each valuation of cells."""
    near = board.neighbours(cell) if cell else [cell for cell in board.cells() if not board.is_wall(cell)]
    steps = STEPS if cell else STEPS - 1
    starts = [target for target in near if target not in taken]
    ways = sorted(
        (best_way(board, start, values, steps, {cell}) for values, start in product(worths, starts)), reverse=True
    )
    return list(dict.fromkeys(way for _, way in ways))[: None if cell else PLACES]


def best_way(board: Board, cell: Cell, values: Worths, steps: int, before: set[Cell | None]) -> tuple[float, Way]:
    """Return worth and cells of the best way of ``steps`` steps that begins on a cell and avoids ``before``."""
    if steps == 1:
        return values[cell], (cell,)
    before.add(cell)
    ways = [best_way(board, step, values, steps - 1, before) for step in board.neighbours(cell) if step not in before]
    before.discard(cell)
    worth, way = max(ways, default=(0.0, ()))
    return values[cell] + LATER * worth, (cell, *way)
