"""two_ply: tries every action with every reply of the enemy, and takes the one that is best after it.

It has the evaluation of ``one_ply``, ``bandit`` and ``alpha_beta``: the four differ only in their search.
"""

from __future__ import annotations

from position import Action, Position
from search import OUT, POINT, Child, judged, play_by, sorted_actions
from wondev_woman import View

NODES = 1_800
"""More than the others evaluate, as a search that stores no positions is faster; enough for nine turns of ten."""


def best(view: View, now: Position) -> Action | None:
    """Return the best action of those whose replies were tried, in the order of their immediate values."""
    chosen, most = None, -1_000
    for child in sorted_actions(view, now, 0):
        if chosen and view.enough(NODES):
            break
        value = replied(view, child, most)
        if chosen is None or value > most:
            chosen, most = child.action, value
    return chosen


def replied(view: View, child: Child, enough: int) -> int:
    """Return the value of an action after the enemy's best reply; stop once it is not above ``enough``."""
    worst = OUT
    for reply in judged(view, child.after, 1):
        worst = min(worst, -reply.value)
        if POINT * child.action.gain + worst <= enough:
            break
    return POINT * child.action.gain + worst


play_by(best)
