"""The bot that ``manage.py demo`` uploads with the starter kit: each agent goes to the best cell that it can reach."""

import random

from kakomimasu import Board, Cell, order, play


def decide(board: Board) -> list[str]:
    """Return an order for each agent."""
    taken = {cell for positions in board.positions for cell in positions if cell}
    return [decide_one(board, cell, taken) for cell in board.mine]


def decide_one(board: Board, cell: Cell | None, taken: set[Cell]) -> str:
    """Return the order to one agent, and add its target to ``taken``."""
    free = [target for target in (board.neighbours(cell) if cell else board.cells()) if target not in taken]
    if not free:
        return "NONE"
    target = max(free, key=lambda target: worth(board, target))
    taken.add(target)
    if cell is None:
        return order("PUT", target)
    return order("REMOVE" if board.is_foreign_wall(target) else "MOVE", target)


def worth(board: Board, target: Cell) -> float:
    """Return the worth of a cell now, with a random part that keeps two such bots from colliding for ever."""
    own = board.is_wall(target) and board.owner(target) == board.seat
    return (-20 if own else board.value(target)) + random.random()


play(decide)
