"""The common part of searching bots: they guess the enemy's places, and evaluate all actions of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fog import Fog
from position import Action, Position, line, position
from territory import worst, worth
from wondev_woman import View, play

POINT, OUT = 10, 60
"""The worth of a point, in units of ``territory.worth``, and the cost of having no legal action left."""
NODES = 1_000
"""Number of positions to evaluate for an answer; the clock ends a search only on a slow machine."""


class Child(NamedTuple):
    """An action with its value and the position after it."""

    value: int
    """The value for the seat that does it: points scored, and the worth of the position after it."""
    action: Action
    after: Position


def judged(view: View, here: Position, seat: int) -> Iterator[Child]:
    """Yield all actions of a seat with their values; each counts as a node of the search."""
    for action in here.actions(seat):
        view.nodes += 1
        after = here.after(seat, action)
        value = worth(after, 1 - seat)
        yield Child(POINT * action.gain + (-value if seat else value), action, after)


def sorted_actions(view: View, here: Position, seat: int) -> list[Child]:
    """Return all actions of a seat, sorted by value, the best first."""
    return sorted(judged(view, here, seat), reverse=True)


def play_by(best: Callable[[View, Position], Action | None]) -> None:
    """Play a match with a search, which gets the view and the position with the enemy on its worst possible places."""
    fog = Fog()

    def decide(view: View) -> str:
        now = position(view, worst(view, fog.look(view)))
        action = best(view, now)
        fog.acted(now, action)
        return line(now.units[action.unit], action) if action else view.actions[0]

    play(decide)
