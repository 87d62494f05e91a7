"""breaker: goes for foreign areas first, then for neutral cells, and pulls down the walls of others.

The idea is that of the sample clients a3 and a4 of the original game, with neutral cells told from foreign areas.
"""

import random

from kakomimasu import Board, Cell, order, play


def decide(board: Board) -> list[str]:
    """Return one order for each agent."""
    richest = sorted(board.cells(), key=board.value, reverse=True)
    start = random.randrange(board.agents)
    taken: set[Cell] = set()
    return [
        agent_order(board, cell, taken) if cell else order("PUT", richest[(agent + start) % len(richest)])
        for agent, cell in enumerate(board.mine)
    ]


def agent_order(board: Board, cell: Cell, taken: set[Cell]) -> str:
    """Return the order of an agent on the board, and add the cells it needs to those that are taken this turn."""
    free = [target for target in board.neighbours(cell) if target not in taken]
    worthy = [target for target in free if board.owner(target) != board.seat and board.value(target) > 0]
    taken.add(cell)
    if worthy:
        return go(board, max(worthy, key=lambda target: worth(board, target)), taken)
    if goal := nearest_neutral(board, cell):
        return go(board, step_towards(cell, goal), taken)
    return go(board, random.choice(free), taken) if free else "NONE"


def worth(board: Board, cell: Cell) -> int:
    """Return what a cell of nobody or of somebody else is worth."""
    if board.is_wall(cell):
        return board.value(cell)
    return board.value(cell) + (5 if board.owner(cell) is None else 10)


def nearest_neutral(board: Board, cell: Cell) -> Cell | None:
    """Return the nearest cell of nobody, the richest of several."""
    neutral = [target for target in board.cells() if board.owner(target) is None]
    return min(neutral, key=lambda target: (distance(cell, target), -board.value(target)), default=None)


def distance(a: Cell, b: Cell) -> int:
    """Return the squared distance of two cells."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def step_towards(cell: Cell, goal: Cell) -> Cell:
    """Return the neighbour that is one step nearer to the goal."""
    return cell[0] + sign(goal[0] - cell[0]), cell[1] + sign(goal[1] - cell[1])


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def go(board: Board, target: Cell, taken: set[Cell]) -> str:
    """Return the order that leads to a neighbour: through the wall of somebody else it takes a turn more."""
    if board.is_foreign_wall(target):
        return order("REMOVE", target)
    taken.add(target)
    return order("MOVE", target)


play(decide)
