"""one_ply: tries every action and takes the one with the best immediate value, without regard to the enemy's reply.

It has the evaluation of ``two_ply``, ``bandit`` and ``alpha_beta``: the four differ only in their search.
"""

from __future__ import annotations

from position import Action, Position
from search import play_by, sorted_actions
from wondev_woman import View


def best(view: View, now: Position) -> Action | None:
    """Return the action with the best immediate value; None if there is no action."""
    children = sorted_actions(view, now, 0)
    return children[0].action if children else None


play_by(best)
