"""one_ply: tries every action and takes the one that leaves its units highest and with most room.

The terms are those of royerk's bot in the contest: points, heights, and each cell that a unit can walk to, the nearer
the more, less the same for the enemy's units in sight. It does not think of the enemy's reply.
"""

from position import Position, line, position
from wondev_woman import View, play

POINT, HEIGHT = 2, 3


def decide(view: View) -> str:
    """Return the action with the best position after it."""
    now = position(view)
    best, best_value = None, 0.0
    for action in now.actions(0):
        if best and view.time_is_up():
            break
        value = POINT * action.gain + worth(now.after(0, action))
        if best is None or value > best_value:
            best, best_value = action, value
    return line(now.units[best.unit], best) if best else view.actions[0]


def worth(after: Position) -> float:
    """Return how good a position is."""
    a, b, c, d = after.units
    mine, his = (sum(unit_worth(after, unit) for unit in units if unit) for units in ((a, b), (c, d)))
    return mine - his


def unit_worth(after: Position, unit: int) -> float:
    """Return what a unit's place is worth: its height, and the cells in reach by their distance."""
    taken = sum(after.units) ^ unit
    worth, distance = float(HEIGHT * after.height(unit)), 1
    reached, more = unit, after.flood(unit) & ~taken
    while more != reached:
        worth += (more ^ reached).bit_count() / distance
        reached, more = more, after.flood(more) & ~taken
        distance += 1
    return worth


play(decide)
