"""three_ply: tries all placements of the three pairs that are known, and likes fields in which like lies near like.

The idea is that of a series of articles on a computer opponent: all 22 x 22 x 22 ways are looked at, and a field is
worth more, the more puyos lie on one of their own colour, or would if what is between them popped. Nearly all the time
goes into the third pair; it is given the most promising fields only.
"""

import time
from collections.abc import Iterator

from puyo import SPAWN, Cells, Field, Match, Pair, Placement, cells_of, drop, heights, is_dead, placements, play

NODES = 100
"""Fields after two pairs that are looked at with the third one."""
SECONDS = 0.08
"""CPU time for a decision, of the 0.1 that it may take; ends it only where a machine is slow."""
CHAIN_MIN = 3
"""Shorter chains are a waste of puyos."""
HIGH = 9
"""A spawn column that is higher is dangerous."""

Line = tuple[float, float, Field]
"""What it is worth, how much of that are chains, and the field at its end."""


def decide(match: Match) -> Placement:
    """Return the first placement of the best three."""
    end = time.process_time() + SECONDS
    field, (first, second, third) = match.me.field, match.me.pairs
    begun = [(line, placement) for placement in placements(field) for line in lines(0, field, first, [placement])]
    going = [(line, start) for (_, chains, after), start in begun for line in lines(chains, after, second)]
    best, answer = max(going or begun, default=((0.0, 0.0, field), placements(field)[0]))
    for (_, chains, after), start in sorted(going, reverse=True)[:NODES]:
        found = max(lines(chains, after, third), default=best)
        if found > best:
            best, answer = found, start
        if time.process_time() > end:
            break
    return answer


def lines(chains: float, field: Field, pair: Pair, options: list[Placement] | None = None) -> Iterator[Line]:
    """Go on from a field by one pair; all fields that come out are different, and none is dead."""
    seen = set()
    for placement in options or placements(field):
        after, steps, _ = drop(field, pair, placement)
        if after not in seen and not is_dead(after):
            seen.add(after)
            gained = chains + chain_worth(steps)
            yield gained + worth(after), gained, after


def chain_worth(steps: int) -> float:
    """Return what a chain is worth."""
    return 10.0 * steps**2 if steps >= CHAIN_MIN else -2.0 * steps


def worth(field: Field) -> float:
    """Return what a field is worth: how well it is connected, and that there is room in it."""
    coloured = cells_of(field) ^ field[0]
    runs = [coloured, 0, 0]
    for cells in field[1:]:
        runs[1] |= cells & cells << 1
        runs[2] |= cells & cells << 1 & cells << 2
    too_high = max(heights(field)[SPAWN] - HIGH, 0)
    return sum(connections(cells, runs) for cells in field[1:]) - 20 * too_high


def connections(cells: Cells, runs: list[Cells]) -> int:
    """Count the connections of a colour.

    Args:
        cells: of the colour.
        runs: the cells of any colour that are the upper ends of one, two and three of their colour.
    """
    value = (cells & cells << 1).bit_count() + (cells & cells << 16).bit_count()
    # It lies on one other puyo, and beside that is one of its own colour.
    value += (cells & (runs[0] & ~cells) << 1 & (cells << 17 | cells >> 15)).bit_count()
    for length, ends in enumerate(runs, start=1):
        # It lies on some of one other colour, and these lie on its own colour.
        between = cells & (ends & ~cells) << 1 & cells << 1 + length
        value += 2 * between.bit_count() + (between & cells << 2 + length).bit_count()
    return value


play(decide)
