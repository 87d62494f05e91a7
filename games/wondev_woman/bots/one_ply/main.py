"""one_ply: tries every action and takes the one that looks best at once. It does not think of the enemy's reply.

The evaluation is that of ``two_ply``, ``bandit`` and ``alpha_beta``: the four differ in their search alone.
"""

from __future__ import annotations

from position import Action, Position
from search import play_by, sorted_actions
from wondev_woman import View


def best(view: View, now: Position) -> Action | None:
    """Return the action that looks best; None if there is none."""
    children = sorted_actions(view, now, 0)
    return children[0].action if children else None


play_by(best)
