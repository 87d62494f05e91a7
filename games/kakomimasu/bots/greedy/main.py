"""greedy: each agent goes to the neighbouring cell with the most points that is no wall yet."""

import random

from kakomimasu import SUCCESS, Board, Cell, order, play


def decide(board: Board) -> list[str]:
    """Return one order for each agent."""
    taken = {cell for cell in board.mine if cell}
    results = board.results or [SUCCESS] * board.agents
    return [agent_order(board, *agent, taken) for agent in zip(board.mine, results, strict=True)]


def agent_order(board: Board, cell: Cell | None, result: str, taken: set[Cell]) -> str:
    """Return the order to an agent, and add its target to ``taken``."""
    near = board.cells() if cell is None else board.neighbours(cell)
    free = [target for target in near if target not in taken and not board.is_foreign_wall(target)]
    fresh = [target for target in free if not board.is_wall(target)]
    if not free:
        return "NONE"
    # After a failure it chooses another cell: an opponent that wanted the same cell will want it again.
    target = max(fresh, key=board.value) if fresh and result == SUCCESS else random.choice(fresh or free)
    taken.add(target)
    return order("PUT" if cell is None else "MOVE", target)


play(decide)
