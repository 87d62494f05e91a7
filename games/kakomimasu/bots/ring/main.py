"""ring: its agents share the rim of the board and walk along it clockwise; the closed ring encloses all other cells.

The idea is that of the sample client "kacom" of the original game.
"""

from kakomimasu import Board, Cell, order, play


def decide(board: Board) -> list[str]:
    """Return one order for each agent."""
    rim = rim_of(board)
    return [agent_order(board, rim, agent, cell) for agent, cell in enumerate(board.mine)]


def rim_of(board: Board) -> list[Cell]:
    """Return the cells of the rim, clockwise from the top left one."""
    right, bottom = board.width - 1, board.height - 1
    top = [(x, 0) for x in range(right)]
    down = [(right, y) for y in range(bottom)]
    back = [(x, bottom) for x in range(right, 0, -1)]
    up = [(0, y) for y in range(bottom, 0, -1)]
    return list(dict.fromkeys([*top, *down, *back, *up, (right, bottom)]))


def agent_order(board: Board, rim: list[Cell], agent: int, cell: Cell | None) -> str:
    """Return the order to an agent that stands on a cell; None: it is not on the board yet."""
    if cell is None:
        # Agents are spread evenly. If two such bots want the same cells, both fail; so each seat then moves on at its
        # own pace.
        start = agent * len(rim) // board.agents + (board.turn - 1) * (board.seat + 1)
        return order("PUT", rim[start % len(rim)])
    ahead = rim[(rim.index(cell) + 1) % len(rim)]
    if ahead == cell:
        return "NONE"
    return order("REMOVE" if board.is_foreign_wall(ahead) else "MOVE", ahead)


play(decide)
