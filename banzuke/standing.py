"""Rates the bots of a league by the arena's own model, and counts the points of each bot against each other one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from banzuke.bots import Bot
from banzuke.results import Result
from banzuke.text import table
from rating.fit import fit, interval
from rating.orders import results_collect


@dataclass(frozen=True, slots=True)
class StandingRow:
    """The line of one bot in the table of ratings."""

    name: str
    rating: float
    interval: float
    """Half the 95 % interval, in Elo points."""
    points: float
    """The sum over all meetings: 1 for a better rank than the opponent's, 1/2 for an equal one."""
    meetings: int
    """The number of pairs with an opponent: one in a match of two, three in a match of four."""
    matches: int
    faults: int


def standing(bots: Sequence[Bot], results: Sequence[Result], anchors: Mapping[str, float]) -> list[StandingRow]:
    """Return a rated line for each bot, the best first.

    ``results`` are those of matches between these bots. ``anchors`` are declared ratings by the names of bots; their
    mean fixes the scale.
    """
    numbers = {bot.digest: number for number, bot in enumerate(bots)}
    tables = [([numbers[digest] for digest in result.digests], result.ranks) for result in results]
    held = {number: anchors[bot.name] for number, bot in enumerate(bots) if bot.name in anchors}
    fitted = fit(len(bots), results_collect(tables), anchors=held)
    matches = Counter(digest for result in results for digest in result.digests)
    faults = Counter(
        digest for result in results for digest, fault in zip(result.digests, result.faults, strict=True) if fault
    )
    pairs = meetings(results)
    rows = []
    for number, bot in enumerate(bots):
        met = [points for (digest, _), scores in pairs.items() if digest == bot.digest for points in scores]
        rating, half = float(fitted.rating[number]), float(interval(fitted.se[number]))
        rows.append(StandingRow(bot.name, rating, half, sum(met), len(met), matches[bot.digest], faults[bot.digest]))
    return sorted(rows, key=lambda row: -row.rating)


def meetings(results: Sequence[Result]) -> dict[tuple[str, str], list[float]]:
    """Return the points of each bot in its meetings with each other bot, by the digests of both: 1, 1/2 or 0 each."""
    found: dict[tuple[str, str], list[float]] = {}
    for result in results:
        for one, other in permutations(range(len(result.ranks)), 2):
            own, its = result.ranks[one], result.ranks[other]
            points = 0.5 + 0.5 * ((own < its) - (own > its))
            found.setdefault((result.digests[one], result.digests[other]), []).append(points)
    return found


def standing_text(rows: Sequence[StandingRow]) -> str:
    """Return the table of ratings as text."""
    lines = [("bot", "rating", "", "points", "matches", "faults")]
    for row in rows:
        share = f"{100 * row.points / row.meetings:.1f} %" if row.meetings else "-"
        lines.append((row.name, f"{row.rating:.0f}", f"± {row.interval:.0f}", share, str(row.matches), str(row.faults)))
    return table(lines)


def opponents_text(bots: Sequence[Bot], rows: Sequence[StandingRow], results: Sequence[Result]) -> str:
    """Return the table of points of each bot against each other one, in percent, in the order of the ratings."""
    by_name = {bot.name: bot for bot in bots}
    ordered = [by_name[row.name] for row in rows]
    pairs = meetings(results)
    lines = [("% of points against", *(str(place) for place in range(1, len(ordered) + 1)))]
    for place, bot in enumerate(ordered, 1):
        met = [pairs.get((bot.digest, other.digest)) for other in ordered]
        cells = [f"{100 * sum(points) / len(points):.0f}" if points else "-" for points in met]
        lines.append((f"{place} {bot.name}", *cells))
    return table(lines)
