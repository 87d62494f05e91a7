"""three_ply: tries all ways to place the three pairs that are known, and likes fields in which like lies near like.

The idea is that of a series of articles on a computer opponent: all 22 x 22 x 22 ways are looked at, many at once, and
a field is worth more, the more puyos lie on one of their own colour, or would if what is between them popped.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from fields import BITS, ONE, Fields, Level, begun, heights, longer
from numpy.typing import NDArray
from puyo import SPAWN, Match, Pair, Placement, placements, play

TOGETHER = 64
"""Fields after two pairs that are looked at together with the third one, the most promising first."""
SECONDS = 0.08
"""CPU time for a decision, of the 0.1 that it may take; ends it only where a machine is slow."""
CHAIN_MIN = 3
"""Shorter chains are a waste of puyos."""
HIGH = 9
"""A spawn column that is higher is dangerous."""

Values = NDArray[np.float64]


class Lines(NamedTuple):
    """Ways to place some pairs, the fields to which they lead, and what these are worth."""

    level: Level
    chains: Values
    """How much of that are chains on the way."""
    worth: Values

    def best(self) -> tuple[float, Placement]:
        """Return what the best line is worth, and how it begins."""
        at = int(self.worth.argmax())
        return float(self.worth[at]), self.level.starts[at]


def decide(match: Match) -> Placement:
    """Return the first placement of the best three."""
    end = time.process_time() + SECONDS
    field, (first, second, third) = match.me.field, match.me.pairs
    lines, answer = Lines(begun(field), np.zeros(1), np.zeros(1)), placements(field)[0]
    for pair in (first, second):
        lines = further(lines.level, lines.chains, pair)
        if not lines.level.starts:
            return answer
        answer = lines.best()[1]
    return best_of(lines, third, end) or answer


def best_of(lines: Lines, pair: Pair, end: float) -> Placement | None:
    """Return how the line begins that is best after one pair more; None: all end in death."""
    found: list[tuple[float, Placement]] = []
    promising = np.argsort(-lines.worth, kind="stable")
    for at in range(0, promising.size, TOGETHER):
        some = promising[at : at + TOGETHER]
        longest = further(lines.level.only(some), lines.chains[some], pair)
        if longest.level.starts:
            found.append(longest.best())
        if time.process_time() > end:
            break
    return max(found, key=lambda best: best[0])[1] if found else None


def further(level: Level, chains: Values, pair: Pair) -> Lines:
    """Go on by one pair; all fields that come out are different, and none is dead."""
    level = longer(level, pair)
    chains = chains[level.parents] + chains_worth(level.steps)
    return Lines(level, chains, chains + worth(level.fields))


def chains_worth(steps: NDArray[np.int64]) -> Values:
    """Return what chains are worth."""
    return np.where(steps >= CHAIN_MIN, 10.0 * steps**2, -2.0 * steps)


def worth(fields: Fields) -> Values:
    """Return what fields are worth: how well they are connected, and that there is room in them."""
    too_high: Values = np.maximum(heights(fields)[SPAWN].astype(np.float64) - HIGH, 0)
    return connections(fields[1:]) - 20 * too_high


def connections(colours: Fields) -> NDArray[np.int64]:
    """Count the connections in fields, given without their garbage: (4, 6, n)."""
    beside = np.zeros_like(colours)
    beside[:, 1:] = colours[:, :-1]
    beside[:, :-1] |= colours[:, 1:]
    on_own = colours & colours << ONE
    value = count(on_own) + count(colours[:, 1:] & colours[:, :-1])
    # It lies on one other puyo, and beside that is one of its own colour.
    value += count(colours & under(colours, colours) & beside << ONE)
    runs = [colours, on_own, on_own & colours << np.uint16(2)]
    for length, ends in enumerate(runs, start=1):
        # It lies on some of one other colour, and these lie on its own colour.
        between = under(colours, ends) & colours << np.uint16(1 + length)
        value += 2 * count(between) + count(between & colours << np.uint16(2 + length))
    return value


def under(colours: Fields, ends: Fields) -> Fields:
    """Return those of colours that lie on cells of another colour which are among ends."""
    return colours & (np.bitwise_or.reduce(ends) & ~colours) << ONE


def count(cells: Fields) -> NDArray[np.int64]:
    """Return how many cells there are in each field."""
    total: NDArray[np.int64] = BITS[cells].sum(axis=(0, 1), dtype=np.int64)
    return total


play(decide)
