"""smasher: plays Smash the Code by a beam search over the eight pairs that it knows.

It reads both protocols: the questions of the contest have no scores, those of the later multiplayer game do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from puyo import BOTTOM, COLUMNS, Field, Pair, Placement, around, cells_of, fallen, heights, popping, read_field, sizes

ROWS, COLOURS = 12, 5
KNOWN = 8
"""Number of pairs that are known."""
ASIDE = (1, 0, -1, 0)
"""Column of the second block minus that of the first, by rotation; in the upright ones, 1 has the first below."""
EMPTY_ROW = "." * COLUMNS
COLOUR_BONUS = (0, 0, 2, 4, 8, 16)
"""The bonus for the number of colours that pop in a step, which is the index."""
LINE = 420
"""Number of points that send a line of skulls."""
NODES = 2_400
"""Number of placements that are tried for a decision."""
WIDTH = NODES // (22 * KNOWN)
"""Number of fields that are followed after each pair."""
LATER = 0.9
"""What points of the next turn are worth, compared with points of this one."""
LINK, TOO_HIGH = 12, 40
"""What two blocks of a colour side by side are worth, and what each row above the ninth costs."""
SECONDS = 0.075
"""CPU time for a decision, of the 0.1 allowed; it ends the search only on a slow machine."""


class Node(NamedTuple):
    """A field that can be reached."""

    value: float
    """The points on the way, those of later turns counting less, and what the field promises."""
    first: Placement
    """The first placement on the way."""
    gained: float
    field: Field


def decide(field: Field, pairs: list[Pair]) -> Placement:
    """Return the placement with which the most promising way begins."""
    end = time.process_time() + SECONDS
    level, best = [Node(0.0, (0, 1), 0.0, field)], Node(float("-inf"), (0, 1), 0.0, field)
    for depth, pair in enumerate(pairs):
        grown: dict[Field, Node] = {}
        for node in level:
            for after, placement in placed(node.field, pair):
                settled, points = resolved(after)
                gained = node.gained + worth(points) * LATER**depth
                known = grown.get(settled)
                if known is None or known.gained < gained:
                    first = node.first if depth else placement
                    grown[settled] = Node(gained + promise(settled), first, gained, settled)
            if depth > 1 and time.process_time() > end:
                return best.first
        if not grown:
            break
        level = sorted(grown.values(), reverse=True)[:WIDTH]
        best = level[0]
    return best.first


def worth(points: int) -> float:
    """Return what points are worth: those that send no line of skulls only make room."""
    return float(points) if points >= LINE else points / 10 - LINK


def promise(field: Field) -> float:
    """Return what a field is worth: blocks of a colour side by side, less what is high."""
    links = sum((cells & cells >> 1).bit_count() + (cells & cells >> 16).bit_count() for cells in field[1:])
    highest = [height for height in heights(field) if height > 9]
    return LINK * links - TOO_HIGH * sum(height - 9 for height in highest)


def placed(field: Field, pair: Pair) -> Iterator[tuple[Field, Placement]]:
    """Yield the fields with a pair on them, before anything pops, with the placement of each."""
    high = heights(field)
    for rotation in range(4 if pair[0] != pair[1] else 2):
        for x in range(COLUMNS):
            other = x + ASIDE[rotation]
            if not 0 <= other < COLUMNS:
                continue
            first, second = high[x] + (rotation == 3), high[other] + (rotation == 1)
            if max(first, second) < ROWS:
                after = list(field)
                after[pair[0]] |= 1 << 16 * x + first
                after[pair[1]] |= 1 << 16 * other + second
                yield tuple(after), (x, rotation)


def resolved(field: Field) -> tuple[Field, int]:
    """Return the field after the whole chain, and its points."""
    score = power = 0
    while True:
        groups = [popping(cells) for cells in field[1:]]
        gone = cells_of(tuple(groups))
        if not gone:
            return field, score
        bonus = power + COLOUR_BONUS[sum(map(bool, groups))]
        for size in (size for cells in groups for size in sizes(cells)):
            bonus += 8 if size > 10 else size - 4
        score += 10 * gone.bit_count() * min(max(bonus, 1), 999)
        power = 2 * power or 8
        field = fallen(field, gone | field[0] & around(gone) & ROWS_ALL)


ROWS_ALL = BOTTOM * ((1 << ROWS) - 1)


def field_from(first: str) -> Field:
    """Return the field whose first row is given; its other rows are read from standard input."""
    return read_field([first, *(input() for _ in range(ROWS - 1))], COLOURS)


def main() -> None:
    """Play a match."""
    has_scores = None
    while True:
        lines = [input() for _ in range(KNOWN)]
        pairs = [(int(one), int(other)) for one, other in map(str.split, lines)]
        first = input()
        if has_scores is None:  # the first fields are empty, so that a score is no row
            has_scores = first != EMPTY_ROW
        mine = field_from(input() if has_scores else first)
        if has_scores:
            input()
        field_from(input())
        print(*decide(mine, pairs), flush=True)


main()
