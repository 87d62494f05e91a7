"""Rating graphs as coordinates for an SVG, which a template draws: no JavaScript is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import count, groupby
from operator import attrgetter

from django.template.defaultfilters import date as date_text

from ladder.selectors.bots import HistoryPoint
from rating.fit import interval

WIDTH, HEIGHT = 720, 290
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 14, 34
LABEL_WIDTH = 54
"""Pixels that the label of a version with three digits takes in the font size of phones."""
TICKS_MAX = 6
"""Steps between labels on an axis, at most."""
DATES = 4
"""Number of labels on the time axis."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A label on an axis; ``at`` is its position in pixels."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of the graph in which one version played."""

    label: str
    """The version, such as ``v3``; empty where it would overlap the label of a newer version."""
    label_at: float
    """Where the label begins, in pixels from the left edge."""
    start: float
    """Where this part of the graph begins, in pixels from the left edge."""
    line: str
    """The line of the rating, as the ``points`` of an SVG polyline."""
    band: str
    """The outline of the confidence interval around the line, as the ``points`` of an SVG polygon."""
    last: tuple[float, float]
    """The end of the line: x and y in pixels."""


@dataclass(frozen=True, slots=True)
class Graph:
    """All shapes of a rating graph."""

    stretches: list[Stretch]
    ratings: list[Tick]
    games: list[Tick]
    """Labels on the lower axis: numbers of games, or times in UTC (``comparison_graph``)."""
    begin: datetime | None = None
    """The time at the left edge; None on a graph over numbers of games."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def rating_graph(points: Sequence[HistoryPoint]) -> Graph | None:
    """Return a graph of a bot's rating over the number of matches, its versions side by side.

    ``points`` are ordered by version, then by games; None for fewer than two.
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
    return Graph(_without_overlaps(stretches), ratings, games)


def comparison_graph(first: Sequence[HistoryPoint], second: Sequence[HistoryPoint]) -> Graph | None:
    """Return a graph of the ratings of two bots over time, one stretch for each bot.

    The points of each bot are ordered by version, then by games.

    Returns:
        The graph; None if a bot has no point or all points have the same time.
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
    for run in (sorted(first, key=attrgetter("at")), sorted(second, key=attrgetter("at"))):
        places = [scale.x((point.at - begin).total_seconds()) for point in run]
        stretches.append(_stretch(run, places[0], places, scale))
    return Graph(stretches, ratings, _moments(begin, end, scale), begin)


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The rating of a bot over the last month, as a line in a row of a table."""

    points: str
    """The line, as the ``points`` of an SVG polyline."""
    end_at: float
    """The height of the line's end, in pixels from the top."""
    change: int
    """How much the rating has changed since the first day, Elo points."""


SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 72, 22, 3
SPARK_DAYS = 30
SPARK_SPAN_MIN = 40
"""Elo points from the bottom to the top, at least: noise must not look like a climb."""


def sparkline(days: Sequence[tuple[date, int]], *, rating: float, today: date) -> Sparkline | None:
    """Return the line of a bot's rating over the month before today, or None if no earlier day is stored.

    ``days`` are the days with the ratings at their beginnings, the oldest first. ``rating`` is the one now, which the
    line shows at its right edge.
    """
    begin = today - timedelta(days=SPARK_DAYS)
    shown = [((day - begin).days, value) for day, value in days if begin <= day]
    if not shown or shown[0][0] >= SPARK_DAYS:
        return None
    shown.append((SPARK_DAYS + 1, round(rating)))
    values = [value for _, value in shown]
    span = max(max(values) - min(values), SPARK_SPAN_MIN)
    middle = (max(values) + min(values)) / 2
    across, down = SPARK_WIDTH / (SPARK_DAYS + 1), (SPARK_HEIGHT - 2 * SPARK_EDGE) / span
    places = [(day * across, SPARK_HEIGHT / 2 + (middle - value) * down) for day, value in shown]
    points = " ".join(f"{x:.0f},{y:.1f}" for x, y in places)
    return Sparkline(points, round(places[-1][1], 1), values[-1] - values[0])


def _moments(begin: datetime, end: datetime, scale: _Scale) -> list[Tick]:
    """Return ``DATES`` labels for the time axis, formatted for the reader's language and all different."""
    form = "SHORT_DATE_FORMAT"
    if end - begin < timedelta(hours=1):
        form = "H:i:s"
    elif end - begin < timedelta(days=DATES):  # dates alone would repeat, hours alone would lack the day
        form = "D H:i"
    return [
        Tick(scale.x((at - begin).total_seconds()), date_text(at, form))
        for at in (begin + (end - begin) * share / DATES for share in range(DATES))
    ]


def _scale(points: Sequence[HistoryPoint], span: float) -> tuple[_Scale, list[Tick]]:
    """Return a scale that covers all points with their intervals, and labels at round ratings."""
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
    """The length of the lower axis: matches, or seconds."""

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


def _without_overlaps(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Remove labels that would overlap the next one. The newest label always stays and moves left if it must."""
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
