"""three_ply: tries all ways to place the three known pairs, and prefers fields in which equal colours are close.

The idea is that of a series of articles on a computer opponent: all 22 x 22 x 22 ways are tried, many at once. A field
is worth more, the more puyos lie on one of their own colour, or would do so after the puyos between them had popped.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from fields import BITS, ONE, Fields, Level, begun, heights, longer
from numpy.typing import NDArray
from puyo import SPAWN, Match, Pair, Placement, placements, play

TOGETHER = 64
"""Number of fields after two pairs that are extended by the third pair at once, the most promising ones first."""
SECONDS = 0.08
"""CPU time for a decision, of the 0.1 allowed; it ends the search only on a slow machine."""
CHAIN_MIN = 3
"""Chains with fewer steps count as a waste of puyos."""
HIGH = 9
"""A spawn column higher than this is dangerous."""

Values = NDArray[np.float64]


class Lines(NamedTuple):
    """Sequences of placements: the fields to which they lead, and their worth."""

    level: Level
    chains: Values
    """The part of the worth that comes from chains on the way."""
    worth: Values

    def best(self) -> tuple[float, Placement]:
        """Return the worth and the first placement of the best sequence."""
        at = int(self.worth.argmax())
        return float(self.worth[at]), self.level.starts[at]


def decide(match: Match) -> Placement:
    """Return the first of the best three placements."""
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
    """Return the first placement of the sequence that is best after one more pair; None if all are deadly."""
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
    """Return the sequences extended by one pair; their fields are all different, and none is dead."""
    level = longer(level, pair)
    chains = chains[level.parents] + chains_worth(level.steps)
    return Lines(level, chains, chains + worth(level.fields))


def chains_worth(steps: NDArray[np.int64]) -> Values:
    """Return the worth of chains, given their numbers of steps."""
    return np.where(steps >= CHAIN_MIN, 10.0 * steps**2, -2.0 * steps)


def worth(fields: Fields) -> Values:
    """Return the worth of fields: of their connections, less a penalty for a high spawn column."""
    too_high: Values = np.maximum(heights(fields)[SPAWN].astype(np.float64) - HIGH, 0)
    return connections(fields[1:]) - 20 * too_high


def connections(colours: Fields) -> NDArray[np.int64]:
    """Return (n,): the weighted number of connections in fields, given without their garbage (4, 6, n)."""
    beside = np.zeros_like(colours)
    beside[:, 1:] = colours[:, :-1]
    beside[:, :-1] |= colours[:, 1:]
    on_own = colours & colours << ONE
    value = count(on_own) + count(colours[:, 1:] & colours[:, :-1])
    # A puyo lies on one of another colour, and beside the lower one is a puyo of the upper one's colour.
    value += count(colours & under(colours, colours) & beside << ONE)
    runs = [colours, on_own, on_own & colours << np.uint16(2)]
    for length, ends in enumerate(runs, start=1):
        # A puyo lies on a run of another colour, and the run lies on a puyo of the first one's colour.
        between = under(colours, ends) & colours << np.uint16(1 + length)
        value += 2 * count(between) + count(between & colours << np.uint16(2 + length))
    return value


def under(colours: Fields, ends: Fields) -> Fields:
    """Return the cells of each colour that lie on a cell of another colour that is in ``ends``."""
    return colours & (np.bitwise_or.reduce(ends) & ~colours) << ONE


def count(cells: Fields) -> NDArray[np.int64]:
    """Return (n,): the number of cells set in each field."""
    total: NDArray[np.int64] = BITS[cells].sum(axis=(0, 1), dtype=np.int64)
    return total


play(decide)
