"""Rating graphs as shapes for an SVG: no script draws them, so they are there for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, groupby

from django.template.defaultfilters import date

from ladder.selectors.bots import HistoryPoint
from rating import interval

WIDTH, HEIGHT = 720, 290
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 14, 34
LABEL_WIDTH = 54
"""Of a version's label with three digits, in the letters of phones."""
TICKS_MAX = 6
DATES = 4
"""Labels along a graph over time."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis, in pixels."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of the graph in which one version played."""

    label: str
    """The version; empty where it would lie on the label of a newer one."""
    label_at: float
    """Where the label begins, pixels from the left."""
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
    """Along the lower edge; of a graph over time its moments, in UTC."""
    begin: datetime | None = None
    """When a graph over time begins."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def rating_graph(points: Sequence[HistoryPoint]) -> Graph | None:
    """Draw a bot's rating over the matches of all its versions, one after the other.

    Args:
        points: ordered by version, then by games.

    Returns:
        The shapes, or None with fewer than two points.
    """
    if len(points) < 2:
        return None
    runs = [list(run) for _, run in groupby(points, key=lambda p: p.version)]
    total = sum(run[-1].games for run in runs)
    scale, ratings = _scale(points, total)
    stretches, played = [], 0
    for run in runs:
        places = [scale.x(played + point.games) for point in run]
        stretches.append(_stretch(run, scale.x(played), places, scale))
        played += run[-1].games
    games = [Tick(scale.x(n), f"{n:.0f}") for n in _range(0, total, _tick_step(total))]
    return Graph(_with_room(stretches), ratings, games)


def comparison_graph(first: Sequence[HistoryPoint], second: Sequence[HistoryPoint]) -> Graph | None:
    """Draw the ratings of two bots over time, one stretch a bot.

    Args:
        first: points of a bot, ordered by version, then by games.
        second: of the other.

    Returns:
        The shapes, with dates instead of numbers of games; None unless both have a point, at different times.
    """
    if not first or not second:
        return None
    points = [*first, *second]
    begin, end = min(p.at for p in points), max(p.at for p in points)
    seconds = (end - begin).total_seconds()
    if seconds <= 0:
        return None
    scale, ratings = _scale(points, seconds)
    stretches = []
    for run in (sorted(first, key=_when), sorted(second, key=_when)):
        places = [scale.x((point.at - begin).total_seconds()) for point in run]
        stretches.append(_stretch(run, places[0], places, scale))
    return Graph(stretches, ratings, _moments(begin, end, scale), begin)


def _moments(begin: datetime, end: datetime, scale: _Scale) -> list[Tick]:
    """Return labels along an axis of time that differ from each other, as the reader's language writes them."""
    form = "SHORT_DATE_FORMAT"
    if end - begin < timedelta(hours=1):
        form = "H:i:s"
    elif end - begin < timedelta(days=DATES):  # a day would stand there twice, an hour alone would not say of which
        form = "D H:i"
    return [
        Tick(scale.x((at - begin).total_seconds()), date(at, form))
        for at in (begin + (end - begin) * share / DATES for share in range(DATES))
    ]


def _when(point: HistoryPoint) -> datetime:
    return point.at


def _scale(points: Sequence[HistoryPoint], span: float) -> tuple[_Scale, list[Tick]]:
    """Return a scale that holds all points, and round numbers of ratings on it."""
    low = min(p.rating - interval(p.standard_error) for p in points)
    high = max(p.rating + interval(p.standard_error) for p in points)
    step = _tick_step(high - low)
    low, high = step * (low // step), step * -(-high // step)
    scale = _Scale(low, max(high, low + step), span)
    return scale, [Tick(scale.y(value), f"{value:.0f}") for value in _range(low, high, step)]


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    span: float
    """What the width stands for: matches, or seconds."""

    def x(self, value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * value / max(self.span, 1), 1)

    def y(self, rating: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (self.high - rating) / (self.high - self.low), 1)


def _stretch(run: Sequence[HistoryPoint], start: float, places: list[float], scale: _Scale) -> Stretch:
    upper = [(x, scale.y(p.rating + interval(p.standard_error))) for x, p in zip(places, run, strict=True)]
    lower = [(x, scale.y(p.rating - interval(p.standard_error))) for x, p in zip(places, run, strict=True)]
    line = [(x, scale.y(p.rating)) for x, p in zip(places, run, strict=True)]
    label = f"v{run[0].version}"
    return Stretch(label, start, start, _svg(line), _svg(upper + lower[::-1]), line[-1])


def _with_room(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Leave out labels for which there is no room; the newest has some, further left if it must."""
    placed: list[Stretch] = []
    end: float = WIDTH
    for stretch in reversed(stretches):
        at = min(stretch.start, end - LABEL_WIDTH)
        if at == stretch.start or not placed:
            placed.append(replace(stretch, label_at=at))
            end = at
        else:
            placed.append(replace(stretch, label=""))
    return placed[::-1]


def _svg(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _tick_step(span: float) -> int:
    steps: Iterator[int] = (digit * 10**zeros for zeros in count(1) for digit in (1, 2, 5))
    return next(step for step in steps if span / step <= TICKS_MAX)


def _range(low: float, high: float, step: int) -> list[float]:
    return [low + step * i for i in range(int((high - low) // step) + 1)]
