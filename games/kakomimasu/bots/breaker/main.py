"""breaker: goes for areas of others first, then for neutral cells, and removes the walls of others.

The idea is that of the sample clients a3 and a4 of the original game, but with a distinction between neutral cells and
areas of others.
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
    """Return the order to an agent on the board, and add the cells that it needs this turn to ``taken``."""
    free = [target for target in board.neighbours(cell) if target not in taken]
    worthy = [target for target in free if board.owner(target) != board.seat and board.value(target) > 0]
    taken.add(cell)
    if worthy:
        return go(board, max(worthy, key=lambda target: worth(board, target)), taken)
    if goal := nearest_neutral(board, cell):
        return go(board, step_towards(cell, goal), taken)
    return go(board, random.choice(free), taken) if free else "NONE"


def worth(board: Board, cell: Cell) -> int:
    """Return the worth of a cell that is neutral or owned by another player."""
    if board.is_wall(cell):
        return board.value(cell)
    return board.value(cell) + (5 if board.owner(cell) is None else 10)


def nearest_neutral(board: Board, cell: Cell) -> Cell | None:
    """Return the nearest neutral cell, of several the one with most points; None if there is none."""
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
    """Return the order that leads to a neighbour; the wall of another player has to be removed first."""
    if board.is_foreign_wall(target):
        return order("REMOVE", target)
    taken.add(target)
    return order("MOVE", target)


play(decide)
