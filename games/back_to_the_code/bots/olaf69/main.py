"""olaf69: looks for the path that gains most for its length, while the others go their foreseeable ways.

After Olaf69's bot of the contest, as its author describes it: paths are made of straight stretches of up to three free
cells (then two, then one), and tried breadth first until time is up. Here the others' ways are foreseen once a round.
"""

from collections import deque
from typing import NamedTuple

from back_to_the_code import View, order, play
from foes import STEPS_MAX, Foe, claimed, nearest
from grid import BOARD, STRIDE, bit, bits, cell_of, cross, filled, owners

WEIGHT = 20
"""The more, the less a short path is preferred to a long one."""
STRETCHES = (3, 2, 1)
EXITS_MAX = 6
NODES = 1_800
"""Paths to go on from in a round; the clock ends it only where a machine is slow."""


class Path(NamedTuple):
    """A path from here: where it ends, what it has made own, how long it is, the first cell to go to."""

    here: int
    own: int
    steps: int
    target: int


foes: list[Foe] = []


def decide(view: View) -> str:
    """Return an order."""
    others = [player.cell for player in view.players[1:]]
    for foe, cell in zip(foes, others, strict=False):  # nobody has been seen before the first round
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
        """Try all paths of stretches of some length, the short ones first."""
        queue = deque([self.start])
        while queue and not self.view.enough(NODES):
            for path in self.longer(queue.popleft(), stretch):
                self.judge(path)
                if path.steps < STEPS_MAX:
                    queue.append(path)

    def judge(self, path: Path) -> None:
        """Keep the best path; what gains no more than the best one so far never replaces it."""
        gain = (path.own & ~self.start.own).bit_count()
        value = (gain + WEIGHT) / (path.steps + WEIGHT)
        if value > self.best_value and path.own.bit_count() > self.best.own.bit_count():
            self.best, self.best_value = path, value

    def free(self, path: Path, steps: int) -> int:
        """Return the cells that are neutral when a path has grown to a number of steps."""
        return self.neutral & ~self.claims[steps] & ~path.own

    def longer(self, path: Path, stretch: int) -> list[Path]:
        """Return the path with a stretch more in each direction; out of a dead end, with a way to free ground."""
        found = [self.straight(path, shift, stretch) for shift in (-STRIDE, 1, STRIDE, -1)]
        return [longer for longer in found if longer] or self.exits(path)

    def straight(self, path: Path, shift: int, stretch: int) -> Path | None:
        """Return the path with free cells more in one direction, or None if there is none."""
        grown = None
        for _ in range(stretch):
            base = grown or path
            there = base.here << shift if shift > 0 else base.here >> -shift
            if base.steps == STEPS_MAX or not there & self.free(base, base.steps + 1):
                break
            grown = self.step(base, there, 1)
        return grown

    def exits(self, path: Path) -> list[Path]:
        """Return the path with a way over owned ground to each of the nearest free cells."""
        reached, distance = path.here, 0
        while path.steps + distance < STEPS_MAX:
            distance, reached = distance + 1, cross(reached) & BOARD
            near = reached & self.free(path, path.steps + distance)
            if near:
                return [self.step(path, there, distance) for there in list(bits(near))[:EXITS_MAX]]
        return []

    def step(self, path: Path, there: int, distance: int) -> Path:
        """Return the path with a step, or with a way of several steps, onto a free cell."""
        own, steps = path.own | there, path.steps + distance
        own |= filled(there, self.neutral & ~self.claims[steps] & ~own, own)
        return Path(there, own, steps, path.target or there)


play(decide)
