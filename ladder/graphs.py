"""The rating graph of a bot as shapes for an SVG: no script draws it, so it is there for everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ladder.models import RatingPoint
from ladder.rating import interval

WIDTH, HEIGHT = 720, 290
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 14, 34
TICKS_MAX = 6
_STEPS = (10, 20, 50, 100, 200, 500, 1_000, 2_000)


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis, in pixels."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of the graph in which one version played."""

    label: str
    start: float
    """Where it begins, pixels from the left."""
    line: str
    """Points of the rating, as SVG wants them."""
    band: str
    """Outline of the interval around it."""
    last: tuple[float, float]
    """Where the line ends."""


@dataclass(frozen=True, slots=True)
class Graph:
    """All shapes of a rating graph."""

    stretches: list[Stretch]
    ratings: list[Tick]
    games: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def rating_graph(points: Sequence[RatingPoint]) -> Graph | None:
    """Draw a bot's rating over the matches of all its versions, one after the other.

    Args:
        points: ordered by version, then by games.

    Returns:
        The shapes, or None with fewer than two points.
    """
    if len(points) < 2:
        return None
    low = min(p.rating - interval(p.standard_error) for p in points)
    high = max(p.rating + interval(p.standard_error) for p in points)
    step = _tick_step(high - low)
    low, high = step * (low // step), step * -(-high // step)
    runs = [list(run) for _, run in groupby(points, key=lambda p: p.version_id)]
    total = sum(run[-1].games for run in runs)
    scale = _Scale(low, max(high, low + step), total)
    stretches, played = [], 0
    for run in runs:
        stretches.append(_stretch(run, played, scale))
        played += run[-1].games
    games_step = _tick_step(total)
    return Graph(
        stretches,
        [Tick(scale.y(value), f"{value:.0f}") for value in _range(low, high, step)],
        [Tick(scale.x(value), f"{value:.0f}") for value in _range(0, total, games_step)],
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    games: int

    def x(self, games: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * games / max(self.games, 1), 1)

    def y(self, rating: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (self.high - rating) / (self.high - self.low), 1)


def _stretch(run: list[RatingPoint], played: int, scale: _Scale) -> Stretch:
    upper = [(scale.x(played + p.games), scale.y(p.rating + interval(p.standard_error))) for p in run]
    lower = [(scale.x(played + p.games), scale.y(p.rating - interval(p.standard_error))) for p in run]
    line = [(scale.x(played + p.games), scale.y(p.rating)) for p in run]
    label = f"v{run[0].version.number}"
    return Stretch(label, scale.x(played), _svg(line), _svg(upper + lower[::-1]), line[-1])


def _svg(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _tick_step(span: float) -> int:
    return next((step for step in _STEPS if span / step <= TICKS_MAX), _STEPS[-1])


def _range(low: float, high: float, step: int) -> list[float]:
    return [low + step * i for i in range(int((high - low) // step) + 1)]
