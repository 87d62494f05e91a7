"""bandit: grows a tree of positions where it promises most, and passes the values of the best replies up.

After tsukammo's bot of the contest: the choice at each node is that of a bandit (UCB) over values scaled among its
children, every new node is judged at once instead of played out, and values go up as in minimax. The exploration counts
for both sides here.
"""

from __future__ import annotations

from math import log, sqrt

from fog import Fog
from position import Action, Position, line, position
from territory import worst, worth
from wondev_woman import View, play

POINT = 10
EXPLORATION = 0.5
NODES = 1_200
"""Positions to look at for an answer; the clock ends it only where a machine is slow."""
OUT = 60
"""What it costs to have no action left."""

fog = Fog()


class Node:
    """A position in the tree; values are for seat 0, who looks ahead."""

    def __init__(self, here: Position, mover: int, lead: int, action: Action | None) -> None:
        self.here, self.mover, self.lead, self.action = here, mover, lead, action
        self.value = POINT * lead + worth(here, mover)
        self.visits = 1
        self.children: list[Node] = []

    def sign(self) -> int:
        """Return 1 where seat 0 chooses, -1 where the enemy does."""
        return -1 if self.mover else 1

    def choose(self) -> Node:
        """Return the child to look at next."""
        sign = self.sign()
        low = min(sign * child.value for child in self.children)
        span = max(max(sign * child.value for child in self.children) - low, 1)
        total = 2 * log(self.visits)
        return max(
            self.children,
            key=lambda child: (sign * child.value - low) / span + EXPLORATION * sqrt(total / child.visits),
        )

    def expand(self) -> None:
        """Add a node for every action."""
        sign = self.sign()
        for action in self.here.actions(self.mover):
            after = self.here.after(self.mover, action)
            self.children.append(Node(after, 1 - self.mover, self.lead + sign * action.gain, action))
        if not self.children:
            self.value = POINT * self.lead - sign * OUT

    def back_up(self) -> None:
        """Take over the value of the best child."""
        self.visits += 1
        if self.children:
            best = max if self.mover == 0 else min
            self.value = best(child.value for child in self.children)


def decide(view: View) -> str:
    """Return the action with the best value, of those that were looked at more closely."""
    root = Node(position(view, worst(view, fog.look(view))), 0, 0, None)
    while not view.enough(NODES):
        view.nodes += grow(root)
    tried = [child for child in root.children if child.visits > 1] or root.children
    best = max(tried, key=lambda child: child.value).action if tried else None
    fog.acted(root.here, best)
    return line(root.here.units[best.unit], best) if best else view.actions[0]


def grow(root: Node) -> int:
    """Expand the most promising leaf; return how many positions were looked at."""
    path = [root]
    while path[-1].children:
        path.append(path[-1].choose())
    path[-1].expand()
    for node in reversed(path):
        node.back_up()
    return len(path[-1].children)


play(decide)
