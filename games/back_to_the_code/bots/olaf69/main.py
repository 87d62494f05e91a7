"""olaf69: looks for the path that gains most cells for its length, while the others go where ``foes`` expects.

After Olaf69's bot of the contest, as its author describes it: paths consist of straight stretches of up to three free
cells (then two, then one), and are tried breadth first until the search ends. Here the ways of the others are predicted
once a round.
"""

from collections import deque
from typing import NamedTuple

from back_to_the_code import View, order, play
from foes import STEPS_MAX, Foe, claimed, nearest
from grid import BOARD, STRIDE, bit, bits, cell_of, cross, filled, owners

WEIGHT = 20
"""The greater this is, the less short paths are preferred to long ones."""
STRETCHES = (3, 2, 1)
EXITS_MAX = 6
NODES = 1_800
"""Number of paths that are extended in a round; the clock ends the search only on a slow machine."""


class Path(NamedTuple):
    """A path: its last cell, the bot's cells after it, its number of steps, the first cell to go to."""

    here: int
    own: int
    steps: int
    target: int


foes: list[Foe] = []


def decide(view: View) -> str:
    """Return an order."""
    others = [player.cell for player in view.players[1:]]
    for foe, cell in zip(foes, others, strict=False):  # before the first round, no player has been seen
        foe.see(cell)
    foes.extend(Foe(cell) for cell in others[len(foes) :])
    neutral, own = owners(view)
    search = Search(view, neutral, own, claimed(foes, view, neutral))
    for stretch in STRETCHES:
        search.run(stretch)
    here = bit(view.me.cell)
    return order(cell_of(search.best.target or (nearest(here, neutral)[1] if neutral else here)))


class Search:
    """The search of one round."""

    def __init__(self, view: View, neutral: int, own: int, claims: list[int]) -> None:
        self.view, self.neutral, self.claims = view, neutral, claims
        self.start = self.best = Path(bit(view.me.cell), own, 0, 0)
        self.best_value = 0.0

    def run(self, stretch: int) -> None:
        """Try all paths that consist of stretches of this length, short ones first."""
        queue = deque([self.start])
        while queue and not self.view.enough(NODES):
            for path in self.longer(queue.popleft(), stretch):
                self.judge(path)
                if path.steps < STEPS_MAX:
                    queue.append(path)

    def judge(self, path: Path) -> None:
        """Remember a path if it has the best value and gains more cells than the best one so far."""
        gain = (path.own & ~self.start.own).bit_count()
        value = (gain + WEIGHT) / (path.steps + WEIGHT)
        if value > self.best_value and path.own.bit_count() > self.best.own.bit_count():
            self.best, self.best_value = path, value

    def free(self, path: Path, steps: int) -> int:
        """Return the cells that will still be neutral after this number of steps along a path."""
        return self.neutral & ~self.claims[steps] & ~path.own

    def longer(self, path: Path, stretch: int) -> list[Path]:
        """Return the path extended by a stretch in each direction or, at a dead end, by ways to neutral cells."""
        found = [self.straight(path, shift, stretch) for shift in (-STRIDE, 1, STRIDE, -1)]
        return [longer for longer in found if longer] or self.exits(path)

    def straight(self, path: Path, shift: int, stretch: int) -> Path | None:
        """Return the path extended by free cells in one direction, or None if there is none."""
        grown = None
        for _ in range(stretch):
            base = grown or path
            there = base.here << shift if shift > 0 else base.here >> -shift
            if base.steps == STEPS_MAX or not there & self.free(base, base.steps + 1):
                break
            grown = self.step(base, there, 1)
        return grown

    def exits(self, path: Path) -> list[Path]:
        """Return the path extended by a way over owned cells to each of the nearest free cells."""
        reached, distance = path.here, 0
        while path.steps + distance < STEPS_MAX:
            distance, reached = distance + 1, cross(reached) & BOARD
            near = reached & self.free(path, path.steps + distance)
            if near:
                return [self.step(path, there, distance) for there in list(bits(near))[:EXITS_MAX]]
        return []

    def step(self, path: Path, there: int, distance: int) -> Path:
        """Return the path extended by ``distance`` steps to a free cell."""
        own, steps = path.own | there, path.steps + distance
        own |= filled(there, self.neutral & ~self.claims[steps] & ~own, own)
        return Path(there, own, steps, path.target or there)


play(decide)
