"""rings: encloses areas, with several agents at one ring, and spoils the rings of others.

Each agent has some promising ways of a few steps. A good combination is found by trying: the ways of all agents are
simulated, with all areas that they enclose, and the way of one agent is changed as long as this gains more.
"""

import random

from areas import shares
from future import Future, Way
from kakomimasu import SUCCESS, Board, Cell, order, play
from ways import promising

TURNS = 4
"""Number of turns that are simulated; a step through the wall of another player takes two."""
GUARD = 1.0
"""Weight of spoiling a ring of another player."""
HOPE = 0.3
"""Weight of helping a ring that is not closed within the simulated turns."""
OWN = -1.0
"""Worth of a step on one of the bot's own walls."""
SWEEPS = 2
"""How often each agent may change its way."""
NODES = 600
"""The most simulations in a turn."""


def decide(board: Board) -> list[str]:
    """Return one order for each agent."""
    mine = shares(board, board.seat)
    theirs = [shares(board, player) for player in range(board.players) if player != board.seat]
    guard = {cell: GUARD * max(their.get(cell, 0.0) for their in theirs) for cell in board.cells()}
    bare = {cell: points(board, cell) + guard[cell] for cell in board.cells()}
    hopeful = {cell: bare[cell] + mine.get(cell, 0.0) for cell in board.cells()}
    taken = {cell for positions in board.positions for cell in positions if cell}
    options = [promising(board, cell, (hopeful, bare), taken) for cell in board.mine]
    for agent, result in enumerate(board.results):
        # After a failure an agent drops some ways: an opponent that wanted the same cell will want it again.
        if result != SUCCESS:
            options[agent] = random.sample(options[agent], (len(options[agent]) + 1) // 2)
    future = Future(board, {cell: guard[cell] + HOPE * mine.get(cell, 0.0) for cell in board.cells()})
    ways = together(future, options, min(TURNS, board.turns - board.turn + 1))
    return [order_of(board, cell, way) for cell, way in zip(board.mine, ways, strict=True)]


def points(board: Board, cell: Cell) -> float:
    """Return the points gained by stepping on a cell; the bot's area there becomes a wall."""
    value, owner = board.value(cell), board.owner(cell)
    if board.is_wall(cell) or owner is None:
        return OWN if owner == board.seat else value
    return value - abs(value) if owner == board.seat else value + abs(value)


def together(future: Future, options: list[list[Way]], turns: int) -> list[Way]:
    """Return a way for each agent, no two beginning on the same cell, that together gain much; () is no way."""
    ways: list[Way] = [()] * len(options)
    best, tries = 0.0, ((agent, way) for _ in range(SWEEPS) for agent in range(len(options)) for way in options[agent])
    for (agent, way), _ in zip(tries, range(NODES), strict=False):
        if any(other[:1] == way[:1] for other in ways[:agent] + ways[agent + 1 :]):
            continue
        changed = [*ways[:agent], way, *ways[agent + 1 :]]
        worth = future.brings(changed, turns)
        if worth > best or not ways[agent]:
            ways, best = changed, worth
    return ways


def order_of(board: Board, cell: Cell | None, way: Way) -> str:
    """Return the order that begins a way."""
    if not way:
        return "NONE"
    if cell is None:
        return order("PUT", way[0])
    return order("REMOVE" if board.is_foreign_wall(way[0]) else "MOVE", way[0])


play(decide)
