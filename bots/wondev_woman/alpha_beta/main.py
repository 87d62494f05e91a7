"""alpha_beta: looks as many actions ahead as time allows, against an enemy on the worst of his possible places.

The classic: iterative deepening and alpha-beta cuts, here with few actions: each position is judged at once, by the
cells that each side reaches first, and only what looks best is followed further. Hidden units are tracked as in Agade's
bot, the second of the contest.
"""

from contextlib import suppress

from fog import Fog
from position import Action, Position, line, position
from territory import worst, worth
from wondev_woman import View, play

POINT = 10
OUT = 60
"""What it costs to have no action left."""
WIDTH = 8
"""Actions that are followed further, of those of a position; of the present one twice as many."""
DEPTH_MAX = 20
NODES = 1_200
"""Positions to look at for an answer; the clock ends it only where a machine is slow."""

Child = tuple[int, Action, Position]
"""How good an action is at first sight for who does it, and the position after it."""

fog = Fog()


class OutOfTimeError(Exception):
    """The answer is due."""


def decide(view: View) -> str:
    """Return the best action of the deepest search."""
    now = position(view, worst(view, fog.look(view)))
    search = Search(view)
    best = search.best(now)
    fog.acted(now, best)
    return line(now.units[best.unit], best) if best else view.actions[0]


class Search:
    """The search of a turn."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.known: dict[tuple[Position, int], list[Child]] = {}

    def best(self, now: Position) -> Action | None:
        """Return the best action; when time is up in the middle of a depth, the best of those looked at.

        The first one was the best of the last depth: what is better than it now is better, however few were looked at.
        """
        children: list[Child] = []
        with suppress(OutOfTimeError):
            children = self.children(now, 0)[: 2 * WIDTH]
            for depth in range(1, DEPTH_MAX):
                alpha = -1_000
                for child in list(children):
                    value = self.after(child, 0, depth, alpha, 1_000)
                    if value > alpha:
                        alpha = value
                        children.remove(child)
                        children.insert(0, child)
        return children[0][1] if children else None

    def after(self, child: Child, seat: int, depth: int, alpha: int, beta: int) -> int:
        """Return how good an action is for the seat that does it."""
        _, action, here = child
        gain = POINT * action.gain
        return gain - self.value(here, 1 - seat, depth, gain - beta, gain - alpha)

    def value(self, here: Position, seat: int, depth: int, alpha: int, beta: int) -> int:
        """Return how good a position is for the seat to move, with the points that are made from here on."""
        children = self.children(here, seat)
        if not children:
            return -OUT
        if depth == 1:
            return children[0][0]
        for child in children[:WIDTH]:
            alpha = max(alpha, self.after(child, seat, depth - 1, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def children(self, here: Position, seat: int) -> list[Child]:
        """Return all actions in a position, the best at first sight first."""
        if (here, seat) not in self.known:
            found = []
            for action in here.actions(seat):
                if self.view.enough(NODES) and self.known:
                    raise OutOfTimeError
                after = here.after(seat, action)
                value = worth(after, 1 - seat)
                found.append((POINT * action.gain + (-value if seat else value), action, after))
            self.known[here, seat] = sorted(found, key=lambda child: child[0], reverse=True)
        return self.known[here, seat]


play(decide)
