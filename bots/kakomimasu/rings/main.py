"""rings: encloses areas, several agents at one ring, and gets in the way of the rings of others.

Every cell is worth its points, its share in the ring that it would help to close, and part of its share in a ring of
somebody else's. Each agent looks for the way of a few steps that is worth most; cells of its way count less for others.
"""

import random

from areas import enclosed, shares
from kakomimasu import SUCCESS, Board, Cell, order, play

STEPS = 3
LATER = 0.7
"""What a cell counts that is reached a step later."""
SHARED = 0.7
"""What a cell counts that is on the way of another agent."""
GUARD = 1.0
"""What it counts to spoil a ring of somebody else."""
OWN = -1.0
"""What it is worth to step on an own wall."""

Worths = dict[Cell, float]


def decide(board: Board) -> list[str]:
    """Return one order for each agent."""
    values = worths(board)
    taken = {cell for positions in board.positions for cell in positions if cell}
    results = board.results or [SUCCESS] * board.agents
    return [
        agent_order(board, cell, values, taken, stuck=result != SUCCESS)
        for cell, result in zip(board.mine, results, strict=True)
    ]


def worths(board: Board) -> Worths:
    """Return what each cell is worth."""
    mine, inside = shares(board, board.seat), enclosed(board, board.seat)
    theirs = [shares(board, player) for player in range(board.players) if player != board.seat]
    return {
        cell: OWN
        if board.is_wall(cell) and board.owner(cell) == board.seat
        else points(board, cell, inside) + mine.get(cell, 0.0) + GUARD * max(their.get(cell, 0.0) for their in theirs)
        for cell in board.cells()
    }


def points(board: Board, cell: Cell, inside: set[Cell]) -> float:
    """Return the points that change hands with a cell; the own area is lost when an agent walks on it."""
    value, owner = board.value(cell), board.owner(cell)
    if owner is None:
        return value
    if board.is_wall(cell):
        # Walls inside an own ring need only be removed to be enclosed; others are walked on a turn later.
        return value + abs(value) if cell in inside else value
    return value - abs(value) if owner == board.seat else value + abs(value)


def agent_order(board: Board, cell: Cell | None, values: Worths, taken: set[Cell], *, stuck: bool) -> str:
    """Return an agent's order; its target is taken, and its way counts less for the agents after it."""
    near = board.neighbours(cell) if cell else [cell for cell in board.cells() if not board.is_wall(cell)]
    ways = sorted(
        best_way(board, target, values, STEPS if cell else 2, {cell}) for target in near if target not in taken
    )
    if not ways:
        return "NONE"
    # After a failure it does not insist: whoever wanted the same cell last turn will want it again.
    _, way = ways[-random.randint(1, min(3, len(ways)))] if stuck else ways[-1]
    taken.add(way[0])
    for step in way:
        values[step] *= SHARED if values[step] > 0 else 1
    if cell is None:
        return order("PUT", way[0])
    return order("REMOVE" if board.is_foreign_wall(way[0]) else "MOVE", way[0])


def best_way(
    board: Board, cell: Cell, values: Worths, steps: int, before: set[Cell | None]
) -> tuple[float, tuple[Cell, ...]]:
    """Return the way of some steps that begins on a cell and is worth most, with its worth."""
    if steps == 1:
        return values[cell], (cell,)
    before.add(cell)
    ways = [best_way(board, step, values, steps - 1, before) for step in board.neighbours(cell) if step not in before]
    before.discard(cell)
    worth, way = max(ways, default=(0.0, ()))
    return values[cell] + LATER * worth, (cell, *way)


play(decide)
