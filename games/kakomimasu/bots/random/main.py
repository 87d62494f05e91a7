"""random: puts its agents anywhere and moves them to random neighbours."""

import random

from kakomimasu import Board, Cell, order, play


def decide(board: Board) -> list[str]:
    """Return one order for each agent."""
    return [agent_order(board, cell) for cell in board.mine]


def agent_order(board: Board, cell: Cell | None) -> str:
    """Return the order to the agent that stands on a cell; None: it is not on the board yet."""
    if cell is None:
        return order("PUT", random.choice(board.cells()))
    neighbours = board.neighbours(cell)
    return order("MOVE", random.choice(neighbours)) if neighbours else "NONE"


play(decide)
