"""Rectangles to wall in: what each would bring, and how long it would take. All of them are looked at at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from back_to_the_code import HEIGHT, NEUTRAL, WIDTH, Cell, View
from numpy.typing import NDArray

SIDES = range(3, 16)
LONG = {2: 14, 3: 13, 4: 12}
"""Longer sides are dangerous, by the number of players: their score is halved."""
NEAR = 2
"""Of three and four players, each who is nearer halves the score of a rectangle."""
MIDDLE, MIDDLE_FREE = WIDTH // 2, 10
"""A wall on the middle column is worth double while more cells than these are free there."""
STABILITY = 1.1
"""A rectangle in sight is kept while no other is clearly better."""
LOOKED_AT = 30
"""Rectangles whose way round is looked at step by step."""
_STRIDE = WIDTH + 1


class Rectangle(NamedTuple):
    """A rectangle; ``right`` and ``bottom`` belong to it."""

    left: int
    top: int
    right: int
    bottom: int

    def rim(self) -> list[Cell]:
        """Return the cells of its four sides, clockwise."""
        left, top, right, bottom = self
        upper, lower = [(x, top) for x in range(left, right)], [(x, bottom) for x in range(right, left, -1)]
        return [*upper, *((right, y) for y in range(top, bottom)), *lower, *((left, y) for y in range(bottom, top, -1))]

    def cells(self) -> list[Cell]:
        """Return all its cells."""
        left, top, right, bottom = self
        return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


class Plan(NamedTuple):
    """How to win cells."""

    score: float
    """Cells that it brings a step, by the rules of Recar's article; 0 if it brings none."""
    steps: int
    cells: list[Cell]
    """Free cells to walk over, one after the other."""
    rectangle: Rectangle | None = None
    """What is walled in, if it is one."""


ALL = np.array(
    [
        (left, top, left + width - 1, top + height - 1)
        for left in range(WIDTH)
        for top in range(HEIGHT)
        for width in SIDES
        for height in SIDES
        if left + width <= WIDTH and top + height <= HEIGHT
    ],
    np.int32,
).T


class Survey:
    """How rectangles look to one of the players."""

    def __init__(self, view: View, player: int, future: Collection[Cell] = ()) -> None:
        """Look at the grid; future: cells that others will take soon."""
        self.view, self.here, self.players = view, view.players[player].cell, len(view.players)
        owners = np.array([list(row) for row in view.rows])
        self.neutral = owners == NEUTRAL
        self.open = self.neutral | (owners == str(player))
        self.future = np.zeros((HEIGHT, WIDTH), bool)
        for x, y in future:
            self.future[y, x] = True
        cells = [int((owners == str(number)).sum()) for number in range(self.players)]
        lead = cells[player] - max(count for number, count in enumerate(cells) if number != player)
        self.need = max(1, (int(self.neutral.sum()) - lead) // 2 + 1)
        """How many cells more are a sure win: more than the strongest other can get of those that are left then."""
        self.foes = [foe.cell for foe in view.players[1:] if self.players > 2]

    def best(self, favour: Rectangle | None = None) -> Plan | None:
        """Return the plan with the best score, or None if there is none; favour: it is preferred a little."""
        rectangles, rough = self._rough()
        promising = np.argpartition(-rough, min(LOOKED_AT, rough.size - 1))[:LOOKED_AT] if rough.size else []
        candidates = {Rectangle(*rectangles[:, number].tolist()) for number in sorted(promising)} | {favour} - {None}
        plans = [self.plan(rectangle, STABILITY if rectangle == favour else 1.0) for rectangle in sorted(candidates)]
        return max(plans, key=lambda plan: plan.score, default=None)

    def plan(self, rectangle: Rectangle, factor: float = 1.0) -> Plan:
        """Return what a rectangle brings a step, and the way round it; factor: what its score is multiplied by."""
        left, top, right, bottom = rectangle
        steps, cells = self.way(rectangle)
        if not cells or not self.open[top : bottom + 1, left : right + 1].all():
            return Plan(0.0, steps, cells)
        gain = self.neutral[top : bottom + 1, left : right + 1].sum()
        score = self._scores(np.array(rectangle)[:, None], np.array([gain]), np.array([steps]))
        return Plan(factor * float(score[0]), steps, cells, rectangle)

    def way(self, rectangle: Rectangle) -> tuple[int, list[Cell]]:
        """Return the steps of the shortest way round a rectangle, and the free cells of its rim as they are walked.

        It begins beside own cells, or at the nearest cell, and leads through all others in one sense.
        """
        rim, (x, y) = rectangle.rim(), self.here
        free = [at for at, cell in enumerate(rim) if self.view.owner(cell) == NEUTRAL]
        away = [abs(u - x) + abs(v - y) for u, v in rim]
        starts = {number for number, at in enumerate(free) if at - free[number - 1] not in (1, 1 - len(rim))}
        starts.add(min(range(len(free)), key=lambda number: away[free[number]], default=0))
        ways = []
        for number in starts if free else ():
            order = free[number:] + free[:number]
            length = (order[-1] - order[0]) % len(rim) + 1
            ways += [(2 * away[each[0]] + length, each) for each in (order, order[::-1])]
        steps, order = min(ways, default=(0, []))
        return steps, [rim[at] for at in order]

    def _rough(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the rectangles without foreign cells, and about their scores."""
        left, top, right, bottom = ALL
        area = (right - left + 1) * (bottom - top + 1)
        rectangles = ALL[:, _counts(_sums(self.open), ALL) == area]
        neutral = _sums(self.neutral)
        inside = rectangles + np.array([[1], [1], [-1], [-1]])
        gain = _counts(neutral, rectangles)
        lacking = gain - _counts(neutral, inside)
        return rectangles, np.where(
            lacking > 0, self._scores(rectangles, gain, 2 * self._away(rectangles) + lacking), 0.0
        )

    def _away(self, rectangles: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the steps to the rims of rectangles."""
        (left, top, right, bottom), (x, y) = rectangles, self.here
        outside = np.maximum(np.maximum(left - x, x - right), 0) + np.maximum(np.maximum(top - y, y - bottom), 0)
        within = np.minimum(np.minimum(x - left, right - x), np.minimum(y - top, bottom - y))
        return np.where(outside > 0, outside, within)

    def _scores(
        self, rectangles: NDArray[np.int32], gain: NDArray[np.int32], steps: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return the cells won a step, by the rules of Recar's article."""
        left, top, right, bottom = rectangles
        scores = np.minimum(gain, self.need) / (steps + self.players)
        scores[gain >= self.need] *= 2
        if self.players == 2 and self.neutral[:, MIDDLE].sum() > MIDDLE_FREE:
            scores[(left == MIDDLE) | (right == MIDDLE)] *= 2
        long = LONG[self.players]
        scores[(right - left >= long) | (bottom - top >= long)] /= 2
        if self.foes:
            scores[(left == 0) | (top == 0) | (right == WIDTH - 1) | (bottom == HEIGHT - 1)] *= 1.1
            scores[_counts(_sums(self.future), rectangles) > 0] /= 10
        for x, y in self.foes:
            apart = np.maximum(np.maximum(left - x, x - right), 0) + np.maximum(np.maximum(top - y, y - bottom), 0)
            scores[apart < NEAR] /= 2
        return scores


def _sums(cells: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return how many cells lie above and to the left of each corner of the grid, row by row."""
    sums = np.zeros((HEIGHT + 1, _STRIDE), np.int32)
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    return sums.ravel()


def _counts(sums: NDArray[np.int32], rectangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return how many of the cells of rectangles are counted in the sums."""
    left, top, right, bottom = rectangles
    upper, lower = top * _STRIDE, (bottom + 1) * _STRIDE
    return sums[lower + right + 1] - sums[lower + left] - sums[upper + right + 1] + sums[upper + left]
