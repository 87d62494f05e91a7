"""Computes for all rectangles at once how many cells enclosing them would gain, and how many steps it would take."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from back_to_the_code import HEIGHT, NEUTRAL, WIDTH, Cell, View
from numpy.typing import NDArray

SIDES = range(3, 16)
LONG = {2: 14, 3: 13, 4: 12}
"""By number of players: the score of rectangles with a side longer than this is halved, as they are dangerous."""
NEAR = 2
"""With three or four players, each opponent nearer to a rectangle than this halves its score."""
MIDDLE, MIDDLE_FREE = WIDTH // 2, 10
"""A side on the middle column doubles the score while more cells than this are free there."""
STABILITY = 1.1
"""Factor for the score of the rectangle chosen before, so that only a clearly better one replaces it."""
LOOKED_AT = 30
"""Number of rectangles for which the way round is computed exactly."""
_STRIDE = WIDTH + 1


class Rectangle(NamedTuple):
    """A rectangle of cells; ``right`` and ``bottom`` are its last column and row."""

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
        """Return all cells of the rectangle."""
        left, top, right, bottom = self
        return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


class Plan(NamedTuple):
    """A plan to win cells."""

    score: float
    """Number of cells gained a step, weighted as in Recar's article; 0 if there is no gain."""
    steps: int
    cells: list[Cell]
    """Free cells to walk over, in order."""
    rectangle: Rectangle | None = None
    """The rectangle that is enclosed; None for an L-shaped path."""


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
    """The scores of rectangles for one of the players."""

    def __init__(self, view: View, player: int, future: Collection[Cell] = ()) -> None:
        """Read the grid; ``future``: cells that others will take soon."""
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
        """Number of further cells that make the win certain: then the strongest opponent cannot catch up any more."""
        self.foes = [foe.cell for foe in view.players[1:] if self.players > 2]

    def best(self, favour: Rectangle | None = None) -> Plan | None:
        """Return the plan with the best score, or None if there is none; ``favour`` is preferred a little."""
        rectangles, rough = self._rough()
        promising = np.argpartition(-rough, min(LOOKED_AT, rough.size - 1))[:LOOKED_AT] if rough.size else []
        candidates = {Rectangle(*rectangles[:, number].tolist()) for number in sorted(promising)} | {favour} - {None}
        plans = [self.plan(rectangle, STABILITY if rectangle == favour else 1.0) for rectangle in sorted(candidates)]
        return max(plans, key=lambda plan: plan.score, default=None)

    def plan(self, rectangle: Rectangle, factor: float = 1.0) -> Plan:
        """Return the plan to enclose a rectangle; its score is multiplied by ``factor``."""
        left, top, right, bottom = rectangle
        steps, cells = self.way(rectangle)
        if not cells or not self.open[top : bottom + 1, left : right + 1].all():
            return Plan(0.0, steps, cells)
        gain = self.neutral[top : bottom + 1, left : right + 1].sum()
        score = self._scores(np.array(rectangle)[:, None], np.array([gain]), np.array([steps]))
        return Plan(factor * float(score[0]), steps, cells, rectangle)

    def way(self, rectangle: Rectangle) -> tuple[int, list[Cell]]:
        """Return the number of steps of the shortest way round a rectangle, and the free cells of its rim in order.

        The way begins next to cells owned already, or at the nearest cell, and goes round in one direction.
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
        """Return the rectangles without cells of opponents, and approximate scores."""
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
        """Return the number of steps to the rims of rectangles."""
        (left, top, right, bottom), (x, y) = rectangles, self.here
        outside = np.maximum(np.maximum(left - x, x - right), 0) + np.maximum(np.maximum(top - y, y - bottom), 0)
        within = np.minimum(np.minimum(x - left, right - x), np.minimum(y - top, bottom - y))
        return np.where(outside > 0, outside, within)

    def _scores(
        self, rectangles: NDArray[np.int32], gain: NDArray[np.int32], steps: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return the number of cells gained a step, weighted as in Recar's article."""
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
    """Return for each corner of the grid, row by row, how many of the cells lie above it and to its left."""
    sums = np.zeros((HEIGHT + 1, _STRIDE), np.int32)
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    return sums.ravel()


def _counts(sums: NDArray[np.int32], rectangles: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return how many of the cells that ``_sums`` has counted lie in each rectangle."""
    left, top, right, bottom = rectangles
    upper, lower = top * _STRIDE, (bottom + 1) * _STRIDE
    return sums[lower + right + 1] - sums[lower + left] - sums[upper + right + 1] + sums[upper + left]
