"""alpha_beta: an alpha-beta search with iterative deepening, along the few actions that look best in each position.

It has the evaluation of ``one_ply``, ``two_ply`` and ``bandit``: the four differ only in their search.
"""

from __future__ import annotations

from contextlib import suppress

from position import Action, Position
from search import NODES, OUT, POINT, Child, play_by, sorted_actions
from wondev_woman import View

WIDTH = 8
"""Number of actions that are searched further in each position; in the present one, twice as many."""
DEPTH_MAX = 20

known: dict[tuple[Position, int], list[Child]] = {}
"""The actions of each position and seat to move that the search of this turn has met."""


def best(view: View, now: Position) -> Action | None:
    """Return the best action of the last finished depth, or a better one found in the unfinished depth after it."""
    known.clear()
    children = sorted_actions(view, now, 0)[: 2 * WIDTH]
    with suppress(TimeoutError):
        for depth in range(1, DEPTH_MAX):
            alpha = -1_000
            for child in list(children):
                value = worth_of(view, child, 0, depth, alpha, 1_000)
                if value > alpha:
                    alpha = value
                    children.remove(child)
                    children.insert(0, child)
    return children[0].action if children else None


def worth_of(view: View, child: Child, seat: int, depth: int, alpha: int, beta: int) -> int:
    """Return the value of an action for the seat that does it, searched ``depth`` actions deep."""
    gain, other = POINT * child.action.gain, 1 - seat
    if (child.after, other) not in known:
        if view.enough(NODES):
            raise TimeoutError
        known[child.after, other] = sorted_actions(view, child.after, other)
    replies = known[child.after, other]
    if depth == 1 or not replies:
        return gain - (replies[0].value if replies else -OUT)
    top = gain - beta
    for reply in replies[:WIDTH]:
        top = max(top, worth_of(view, reply, other, depth - 1, top, gain - alpha))
        if top >= gain - alpha:
            break
    return gain - top


play_by(best)
