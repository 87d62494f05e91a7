"""Values cells that would help a player to close a ring, trying all rectangles of some sizes as rings."""

from __future__ import annotations

from heapq import nlargest
from itertools import accumulate

from kakomimasu import Board, Cell

SIDES = range(3, 9)
LACKING_MAX = 2
"""Rings that lack more steps are ignored: going for them costs better cells, and others enter them meanwhile."""
WORTHY = 3.0
"""Rings that gain fewer points for each missing step are ignored."""
RINGS_MAX = 200
"""The number of best rings that count."""


def shares(board: Board, player: int) -> dict[Cell, float]:
    """Return the worth of cells to a player as parts of rings.

    The gain of a ring is divided by the number of steps that it lacks. The worth of a cell is that of its best ring.
    """
    found: dict[Cell, float] = {}
    for share, x, y, width, height in sorted(nlargest(RINGS_MAX, _rings(board, player))):
        for cell in rim(x, y, width, height):
            found[cell] = share
    return found


def rim(x: int, y: int, width: int, height: int) -> list[Cell]:
    """Return the cells of a rectangle's four sides."""
    rows = [(u, v) for u in range(x, x + width) for v in (y, y + height - 1)]
    return rows + [(u, v) for u in (x, x + width - 1) for v in range(y + 1, y + height - 1)]


def _rings(board: Board, player: int) -> list[tuple[float, int, int, int, int]]:
    """Return gain for each missing step, x, y, width and height of each promising ring that is not closed yet."""
    steps = [[_steps(board, (x, y), player) for x in range(board.width)] for y in range(board.height)]
    gains = [[_gain(board, (x, y), player) for x in range(board.width)] for y in range(board.height)]
    found = []
    for height in SIDES:
        for y in range(board.height - height + 1):
            # For each column: missing steps on the upper and lower side, missing steps and gains between them.
            ends = [a + b for a, b in zip(steps[y], steps[y + height - 1], strict=True)]
            middle = [sum(column) for column in zip(*steps[y + 1 : y + height - 1], strict=True)]
            inside = [sum(column) for column in zip(*gains[y + 1 : y + height - 1], strict=True)]
            ends_to, inside_to = [0, *accumulate(ends)], [0, *accumulate(inside)]
            for width in SIDES:
                for x in range(board.width - width + 1):
                    gain = inside_to[x + width - 1] - inside_to[x + 1]
                    lacking = ends_to[x + width] - ends_to[x] + middle[x] + middle[x + width - 1]
                    if 0 < lacking <= LACKING_MAX and gain > WORTHY * lacking:
                        found.append((gain / lacking, x, y, width, height))
    return found


def _steps(board: Board, cell: Cell, player: int) -> int:
    """Return the number of orders that make a cell a wall of a player."""
    if not board.is_wall(cell):
        return 1
    return 0 if board.owner(cell) == player else 2


def _gain(board: Board, cell: Cell, player: int) -> int:
    """Return the points that a player gains by enclosing a cell, relative to its opponents."""
    if board.is_wall(cell) or board.owner(cell) == player:
        return 0
    return abs(board.value(cell)) * (1 if board.owner(cell) is None else 2)
