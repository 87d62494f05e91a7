"""Rectangles to wall in: what each would bring, and how long it would take."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import NamedTuple

from back_to_the_code import HEIGHT, NEUTRAL, WIDTH, Cell, View

SIDES = range(3, 16)
LONG = {2: 14, 3: 13, 4: 12}
"""Longer sides are dangerous, by the number of players: their score is halved."""
NEAR = 2
"""Of three and four players, each who is nearer halves the score of a rectangle."""
MIDDLE, MIDDLE_FREE = WIDTH // 2, 10
"""A wall on the middle column is worth double while more cells than these are free there."""
_STRIDE = WIDTH + 1


class Rectangle(NamedTuple):
    """A rectangle; ``right`` and ``bottom`` belong to it."""

    left: int
    top: int
    right: int
    bottom: int

    def rim(self) -> list[Cell]:
        """Return the cells of its four sides."""
        rows = [(x, y) for y in (self.top, self.bottom) for x in range(self.left, self.right + 1)]
        return rows + [(x, y) for x in (self.left, self.right) for y in range(self.top + 1, self.bottom)]

    def distance(self, cell: Cell) -> int:
        """Return the number of steps to it, 0 from inside."""
        x, y = cell
        return max(self.left - x, x - self.right, 0) + max(self.top - y, y - self.bottom, 0)


ALL = [
    Rectangle(left, top, left + width - 1, top + height - 1)
    for left in range(WIDTH)
    for top in range(HEIGHT)
    for width in SIDES
    for height in SIDES
    if left + width <= WIDTH and top + height <= HEIGHT
]


def through(cell: Cell) -> list[Rectangle]:
    """Return the rectangles with a cell as one of their corners."""
    x, y = cell
    found = []
    for width in SIDES:
        for left, right in ((x, x + width - 1), (x - width + 1, x)):
            for height in SIDES:
                found.append(Rectangle(left, y, right, y + height - 1))
                found.append(Rectangle(left, y - height + 1, right, y))
    return [each for each in found if min(each) >= 0 and each.right < WIDTH and each.bottom < HEIGHT]


class Survey:
    """How rectangles look to one of the players."""

    def __init__(self, view: View, player: int, future: Collection[Cell] = ()) -> None:
        """Look at the grid; future: cells that others will take soon."""
        self.here = view.players[player].cell
        self.players = len(view.players)
        self.neutral = _sums(view.rows, NEUTRAL)
        self.open = _sums(view.rows, NEUTRAL + str(player))
        mine = sum(row.count(str(player)) for row in view.rows)
        self.need = max(1, WIDTH * HEIGHT // self.players + 1 - mine)
        """How many cells more are a sure win."""
        self.long = LONG[self.players]
        self.foes = [foe.cell for foe in view.players[1:] if self.players > 2]
        self.future = _sums([["*" if (x, y) in future else "." for x in range(WIDTH)] for y in range(HEIGHT)], "*")
        self.middle = self.players == 2 and sum(row[MIDDLE] == NEUTRAL for row in view.rows) > MIDDLE_FREE

    def steps(self, rectangle: Rectangle) -> int:
        """Return about how many steps walling in takes: twice those to get there, and those of the rim."""
        left, top, right, bottom = rectangle
        away = rectangle.distance(self.here)
        if away == 0:
            x, y = self.here
            away = min(x - left, right - x, y - top, bottom - y)
        inside = count(self.neutral, left + 1, top + 1, right - 1, bottom - 1)
        return 2 * away + count(self.neutral, *rectangle) - inside

    def score(self, rectangle: Rectangle) -> float:
        """Return the cells won a step; 0 if somebody else has a cell there, or nothing is left to walk."""
        left, top, right, bottom = rectangle
        if count(self.open, *rectangle) < (right - left + 1) * (bottom - top + 1):
            return 0.0
        steps = self.steps(rectangle)
        gain = count(self.neutral, *rectangle)
        score = min(gain, self.need) / (steps + self.players)
        if gain >= self.need:
            score *= 2
        if self.middle and MIDDLE in (left, right):
            score *= 2
        if right - left >= self.long or bottom - top >= self.long:
            score /= 2
        return score * self.crowding(rectangle) if self.foes else score

    def crowding(self, rectangle: Rectangle) -> float:
        """Return by how much a rectangle is worth more or less among three and four players."""
        left, top, right, bottom = rectangle
        factor = 1.1 if left == 0 or top == 0 or right == WIDTH - 1 or bottom == HEIGHT - 1 else 1.0
        factor *= 0.5 ** sum(rectangle.distance(foe) < NEAR for foe in self.foes)
        return factor / 10 if count(self.future, *rectangle) else factor


def _sums(rows: Sequence[Sequence[str]], owners: str) -> list[int]:
    """Return how many cells of these owners lie above and to the left of each corner of the grid."""
    sums = [0] * _STRIDE
    for row in rows:
        line = accumulate((owner in owners for owner in row), initial=0)
        sums += [above + number for above, number in zip(sums[-_STRIDE:], line, strict=True)]
    return sums


def count(sums: list[int], left: int, top: int, right: int, bottom: int) -> int:
    """Return how many of the cells of a rectangle are counted in the sums."""
    upper, lower = top * _STRIDE, (bottom + 1) * _STRIDE
    return sums[lower + right + 1] - sums[lower + left] - sums[upper + right + 1] + sums[upper + left]
