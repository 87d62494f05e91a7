"""What bots that look ahead have in common: where the enemy may be, and how good every action is at first sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fog import Fog
from position import Action, Position, line, position
from territory import worst, worth
from wondev_woman import View, play

POINT, OUT = 10, 60
"""What a point is worth, beside the terms of ``territory``; and what it costs to have no action left."""
NODES = 1_000
"""Positions to judge for an answer; the clock ends a search only where a machine is slow."""


class Child(NamedTuple):
    """An action, and what comes of it."""

    value: int
    """How good it looks to the seat that does it: its point, and the position after it."""
    action: Action
    after: Position


def judged(view: View, here: Position, seat: int) -> Iterator[Child]:
    """Make all actions of a seat with their values; each is a node of the search."""
    for action in here.actions(seat):
        view.nodes += 1
        after = here.after(seat, action)
        value = worth(after, 1 - seat)
        yield Child(POINT * action.gain + (-value if seat else value), action, after)


def sorted_actions(view: View, here: Position, seat: int) -> list[Child]:
    """Return all actions of a seat, the best at first sight first."""
    return sorted(judged(view, here, seat), reverse=True)


def play_by(best: Callable[[View, Position], Action | None]) -> None:
    """Play a match: a search gets the view, and the position with the enemy on the worst of his possible places."""
    fog = Fog()

    def decide(view: View) -> str:
        now = position(view, worst(view, fog.look(view)))
        action = best(view, now)
        fog.acted(now, action)
        return line(now.units[action.unit], action) if action else view.actions[0]

    play(decide)
