"""bandit: a tree search that grows the tree at its most promising leaf, and passes values up as in minimax.

After tsukammo's bot of the contest: at each node a bandit algorithm (UCB) chooses the child to visit, over values
scaled among the children; new nodes are evaluated at once, without playouts. It has the evaluation of ``one_ply``,
``two_ply`` and ``alpha_beta``.
"""

from __future__ import annotations

from math import log, sqrt

from position import Action, Position
from search import NODES, OUT, POINT, judged, play_by
from wondev_woman import View

EXPLORATION = 0.5


class Node:
    """A position in the tree; values are those for seat 0, the bot."""

    def __init__(self, here: Position, mover: int, lead: int, value: int, action: Action | None) -> None:
        self.here, self.lead, self.value, self.action = here, lead, value, action
        self.mover, self.sign = mover, -1 if mover else 1
        self.visits, self.children = 1, list[Node]()

    def choose(self) -> Node:
        """Return the child to visit next."""
        values = [self.sign * child.value for child in self.children]
        low, span, total = min(values), max(max(values) - min(values), 1), 2 * log(self.visits)
        bonuses = [EXPLORATION * sqrt(total / child.visits) for child in self.children]
        return self.children[max(range(len(values)), key=lambda at: (values[at] - low) / span + bonuses[at])]

    def grow(self, view: View) -> None:
        """Add children to the most promising leaf below this node, and update the value to that of the best child."""
        self.visits += 1
        if self.children:
            self.choose().grow(view)
        for child in () if self.children else judged(view, self.here, self.mover):
            lead, value = self.lead + self.sign * child.action.gain, POINT * self.lead + self.sign * child.value
            self.children.append(Node(child.after, 1 - self.mover, lead, value, child.action))
        values = [self.sign * child.value for child in self.children]
        self.value = self.sign * max(values, default=self.sign * POINT * self.lead - OUT)


def best(view: View, now: Position) -> Action | None:
    """Return the action with the best value among those visited more than once; None if there is no action."""
    root = Node(now, 0, 0, 0, None)
    while not view.enough(NODES):
        root.grow(view)
    tried = [child for child in root.children if child.visits > 1] or root.children
    return max(tried, key=lambda child: child.value, default=root).action


play_by(best)
