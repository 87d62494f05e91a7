"""alpha_beta: looks as many actions ahead as time allows, against an enemy on the worst of his possible places.

The classic: iterative deepening, alpha-beta cuts, the best action of the last depth first. A position is judged by the
cells that each side reaches first; hidden units are tracked as in Agade's bot, the second of the contest.
"""

from contextlib import suppress

from fog import Fog
from position import Action, Position, line, position
from territory import worst, worth
from wondev_woman import View, play

POINT = 10
OUT = 60
"""What it costs to have no action left."""
DEPTH_MAX = 20
NODES = 1_200
"""Positions to look at for an answer; the clock ends it only where a machine is slow."""

fog = Fog()


class OutOfTimeError(Exception):
    """The answer is due."""


def decide(view: View) -> str:
    """Return the best action of the deepest search."""
    now = position(view, worst(view, fog.look(view)))
    actions = sorted(now.actions(0), key=lambda action: promise(now, action), reverse=True)
    for depth in range(DEPTH_MAX):
        if view.nodes > NODES or view.time_is_up():
            break
        actions = Search(view).ordered(now, actions, depth)
    fog.acted(now, actions[0] if actions else None)
    return line(now.units[actions[0].unit], actions[0]) if actions else view.actions[0]


def promise(before: Position, action: Action) -> int:
    """Return how early an action should be tried: points, then pushes, then high places."""
    return 4 * action.gain + (3 if action.push else before.height(action.near))


class Search:
    """A search to one depth."""

    def __init__(self, view: View) -> None:
        self.view = view

    def ordered(self, now: Position, actions: list[Action], depth: int) -> list[Action]:
        """Return the actions with the best first; when time is up, the best of those looked at.

        The first one was the best of the last depth: what is better than it now is better, however few were looked at.
        """
        best, alpha = 0, -1_000
        with suppress(OutOfTimeError):
            for number, action in enumerate(actions):
                value = -self.value(now.after(0, action), 1, -action.gain, depth, -1_000, -alpha)
                if value > alpha:
                    best, alpha = number, value
        return [*actions[best : best + 1], *actions[:best], *actions[best + 1 :]]

    def value(self, here: Position, seat: int, lead: int, depth: int, alpha: int, beta: int) -> int:
        """Return how good a position is for the seat to move; lead: points it has made more than the other."""
        if self.view.enough(NODES):
            raise OutOfTimeError
        if depth == 0:
            return POINT * lead + (-worth(here, seat) if seat else worth(here, seat))
        actions = sorted(here.actions(seat), key=lambda action: promise(here, action), reverse=True)
        if not actions:
            return POINT * lead - OUT
        for action in actions:
            after = here.after(seat, action)
            alpha = max(alpha, -self.value(after, 1 - seat, -lead - action.gain, depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha


play(decide)
