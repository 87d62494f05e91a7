"""Which ways of a few steps look promising to an agent."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from future import Way
from kakomimasu import Board, Cell

STEPS = 3
LATER = 0.7
"""What a cell counts that is reached a step later."""
PLACES = 20
"""So many ways are found for an agent that is not on the board yet."""

Worths = dict[Cell, float]


def promising(board: Board, cell: Cell | None, worths: Iterable[Worths], taken: set[Cell]) -> list[Way]:
    """Return an agent's best way to begin with each free cell in reach, as cells are worth one thing or another."""
    near = board.neighbours(cell) if cell else [cell for cell in board.cells() if not board.is_wall(cell)]
    steps = STEPS if cell else STEPS - 1
    starts = [target for target in near if target not in taken]
    ways = sorted(
        (best_way(board, start, values, steps, {cell}) for values, start in product(worths, starts)), reverse=True
    )
    return list(dict.fromkeys(way for _, way in ways))[: None if cell else PLACES]


def best_way(board: Board, cell: Cell, values: Worths, steps: int, before: set[Cell | None]) -> tuple[float, Way]:
    """Return the way of some steps that begins on a cell and is worth most, with its worth."""
    if steps == 1:
        return values[cell], (cell,)
    before.add(cell)
    ways = [best_way(board, step, values, steps - 1, before) for step in board.neighbours(cell) if step not in before]
    before.discard(cell)
    worth, way = max(ways, default=(0.0, ()))
    return values[cell] + LATER * worth, (cell, *way)
