"""Finds L-shaped paths from the bot's cell that enclose a zone together with cells that it owns already."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from back_to_the_code import Cell, View
from grid import STRIDE, bit, cell_of, cross, filled, owners
from rectangles import Plan

LENGTH_MAX = 20
SHIFTS = (1, STRIDE, -1, -STRIDE)
"""Shifts of a set of cells to the right, down, left, up."""

Path = list[int]
"""The cells of a path in order, each as a set of one cell."""


def best_corner(view: View, need: int, future: Collection[Cell]) -> Plan | None:
    """Return the L-shaped path with the best score, computed like that of rectangles; None if there is none.

    It does not lead over the cells ``future``, which others will take soon.
    """
    here = bit(view.me.cell)
    neutral, own = owners(view)
    plans = []
    for path in _paths(here, neutral & ~sum(map(bit, future))):
        if cross(path[-1]) & own & ~here:
            cells = sum(path)
            closed = filled(path[-1], neutral & ~cells, own | cells).bit_count()
            if closed:
                plans.append(_plan(path, closed, need, len(view.players)))
    return max(plans, key=lambda plan: plan.score, default=None)


def _plan(path: Path, closed: int, need: int, players: int) -> Plan:
    gain = len(path) + closed
    score = min(gain, need) / (len(path) + players) * (2 if gain >= need else 1)
    return Plan(score, len(path), [cell_of(cell) for cell in path])


def _paths(here: int, neutral: int) -> Iterator[Path]:
    """Yield all paths over free cells with at most one turn."""
    for number, ahead in enumerate(SHIFTS):
        leg = _straight(here, ahead, neutral, LENGTH_MAX)
        for length in range(1, len(leg) + 1):
            yield leg[:length]
            for aside in (SHIFTS[(number + 1) % 4], SHIFTS[number - 1]):
                other = _straight(leg[length - 1], aside, neutral, LENGTH_MAX - length)
                yield from (leg[:length] + other[:end] for end in range(1, len(other) + 1))


def _straight(cell: int, shift: int, neutral: int, length: int) -> Path:
    """Return up to ``length`` free cells in one direction, up to the first cell that is not free."""
    found: Path = []
    while len(found) < length:
        cell = cell << shift if shift > 0 else cell >> -shift
        if not cell & neutral:
            break
        found.append(cell)
    return found
