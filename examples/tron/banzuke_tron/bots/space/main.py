"""space: goes where it reaches most cells before the others."""

from __future__ import annotations

from tron import STEPS, Cell, View, play, step


def decide(view: View) -> str:
    """Return a direction."""
    return max(view.moves, key=lambda move: worth(view, step(view.me, move)))


def worth(view: View, cell: Cell) -> tuple[int, int]:
    """Return the value of riding into a cell: the lead in cells reached first, then how many taken cells it touches."""
    if not view.is_free(cell):
        return -view.width * view.height, 0
    others = [head for seat, head in enumerate(view.heads) if head and seat != view.seat]
    hugged = sum(not view.is_free(step(cell, move)) for move in STEPS)
    if any(abs(x - cell[0]) + abs(y - cell[1]) == 1 for x, y in others):
        return -view.width * view.height // 2, hugged  # another seat may ride into it as well
    return territory(view, cell, others), hugged


def territory(view: View, cell: Cell, others: list[Cell]) -> int:
    """Return how many cells one reaches first from a cell, less those that others reach no later.

    It is a Voronoi diagram: a breadth-first search from all heads at once, in which the others move first.
    """
    reached = {cell, *others}
    mine, theirs = [cell], others
    lead = 0
    while mine or theirs:
        theirs = _spread(view, theirs, reached)
        mine = _spread(view, mine, reached)
        lead += len(mine) - len(theirs)
    return lead


def _spread(view: View, cells: list[Cell], reached: set[Cell]) -> list[Cell]:
    """Return the free neighbours of cells that are not reached yet, and mark them."""
    new = []
    for cell in cells:
        for move in STEPS:
            near = step(cell, move)
            if near not in reached and view.is_free(near):
                reached.add(near)
                new.append(near)
    return new


play(decide)
