"""Talks to the referee of Puyo Puyo and knows its rules, so that a bot only has to decide.

Copy it beside your ``main.py``. A whole bot::

    from puyo import Match, Placement, placements, play

    def decide(match: Match) -> Placement:
        return placements(match.me.field)[0]

    play(decide)

A placement is ``(x, r)``: the column of the axis, from 0, and whether the child lies above it (0), right (1), below (2)
or left (3).

A field is five sets of cells: of garbage, then of the colours 1 to 4. A set is one number with a bit for each cell,
``16 * x + y`` for column x and row y, both from 0, the lowest row first. So Python compares and shifts all cells at
once, which is much faster than going from cell to cell. Fields never change, functions return new ones.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

Cells = int
Field = tuple[Cells, ...]
Pair = tuple[int, int]
"""Colours of the axis and the child."""
Placement = tuple[int, int]

COLUMNS, ROWS = 6, 13
SPAWN = 2
"""The column where pairs appear; a player with 12 puyos in it is dead."""
UP, RIGHT, DOWN, LEFT = range(4)
ASIDE = (0, 1, 0, -1)
"""Column of the child minus that of the axis, by r of the placement."""
PLACEMENTS = [(x, r) for x in range(COLUMNS) for r in range(4) if 0 <= x + ASIDE[r] < COLUMNS]
"""All 22 placements."""
BOTTOM: Cells = sum(1 << 16 * x for x in range(COLUMNS))
VISIBLE: Cells = BOTTOM * 0x0FFF
"""All rows but the hidden one; only here puyos pop."""
DEATH: Cells = 1 << 16 * SPAWN + 11
CHAIN_POWERS = (0, 8, 16, *range(32, 513, 32))
"""The bonus of each step of a chain, from the first; the last entry holds for all later steps."""
COLOUR_BONUS = (0, 0, 3, 6, 12)
"""The bonus for the number of colours that pop in a step, which is the index."""
GROUP_BONUS = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
"""The bonus for the size of a group, which is the index; the last entry holds for all larger groups."""


@dataclass
class Player:
    """One side of the match."""

    pairs: list[Pair]
    """The present pair and the next two."""
    score: int
    pending: int
    """Garbage coming from a chain of the opponent that still runs."""
    fixed: int
    """Garbage that falls as soon as this player has placed a pair and no chain runs."""
    carry: int
    """Points that are not enough for another garbage puyo yet."""
    all_clear: bool
    """Whether the first step of the next chain sends 30 more."""
    chain: int
    """Number of steps so far of a running chain; 0 if none runs."""
    field: Field


@dataclass
class Match:
    """All that a bot may know of the match."""

    tick: int
    rate: int
    """Number of points that make one garbage puyo."""
    me: Player
    opponent: Player


def cells_of(field: Field) -> Cells:
    """Return all cells that are not empty."""
    return reduce(or_, field)


def heights(field: Field) -> tuple[int, ...]:
    """Return the height of each column."""
    cells = cells_of(field)
    return tuple((cells >> 16 * x & 0x1FFF).bit_length() for x in range(COLUMNS))


def placements(field: Field) -> list[Placement]:
    """Return the placements to which a pair can be moved; none on the field of a dead player."""
    return reachable(heights(field))


@cache
def reachable(columns: tuple[int, ...]) -> list[Placement]:
    """Return the placements to which a pair can be moved over columns of these heights."""
    return [(x, r) for x, r in PLACEMENTS if columns[SPAWN] < 12 and _fits(columns, x, r)]


def _fits(columns: tuple[int, ...], x: int, r: int) -> bool:
    """Return whether a pair can be moved from the spawn column to a placement."""
    child = x + ASIDE[r]
    far = child if abs(child - SPAWN) > abs(x - SPAWN) else x
    out = 1 if far > SPAWN else -1
    way = range(SPAWN + out, far + out, out) if far != SPAWN else range(0)
    if columns[x] + (r == DOWN) > 12 or any(columns[column] > 12 for column in way):
        return False
    wall = next((column for column in way if columns[column] == 12), None)
    if wall is None or (columns[SPAWN - 1] >= 12 and columns[SPAWN + 1] >= 12):
        return True
    # The axis must be lifted over the column of 12, by a kick off a column of 11 reached on the way back.
    back = range(wall - out, COLUMNS if out < 0 else -1, -out)
    return next((columns[column] for column in back if columns[column] >= 11), 0) == 11


def place(field: Field, pair: Pair, placement: Placement) -> Field:
    """Return the field with a pair on it, before anything pops."""
    x, r = placement
    child = x + ASIDE[r]
    cells = cells_of(field)
    axis_row = (cells >> 16 * x & 0x1FFF).bit_length() + (r == DOWN)
    child_row = (cells >> 16 * child & 0x1FFF).bit_length() + (r == UP)
    after = list(field)
    after[pair[0]] |= 1 << 16 * x + axis_row
    if child_row < ROWS:  # what comes to rest above the hidden row vanishes
        after[pair[1]] |= 1 << 16 * child + child_row
    return tuple(after)


def around(cells: Cells) -> Cells:
    """Return the neighbours of cells above, below, right and left, which may lie beyond the edges."""
    return cells << 1 | cells >> 1 | cells << 16 | cells >> 16


def popping(cells: Cells) -> Cells:
    """Return the cells in groups of four or more, given the cells of one colour."""
    cells &= VISIBLE
    above, below, right, left = cells & cells >> 1, cells & cells << 1, cells & cells >> 16, cells & cells << 16
    vertical, horizontal = above & below, left & right
    either_vertical, either_horizontal = above | below, left | right
    two = vertical | horizontal | either_vertical & either_horizontal  # cells with two neighbours or more
    if not two:
        return 0
    three = vertical & either_horizontal | horizontal & either_vertical
    # A group of four or more has a cell with three neighbours, or two cells side by side with two.
    middle = three | two & around(two)
    return (middle | around(middle)) & cells


def sizes(cells: Cells) -> list[int]:
    """Return the size of each group of connected cells."""
    found = []
    while cells:
        group, grown = 0, cells & -cells
        while grown != group:
            group, grown = grown, (grown | around(grown)) & cells
        cells &= ~group
        found.append(group.bit_count())
    return found


def pop(field: Field, step: int) -> tuple[Field, int]:
    """Return the field after a step of a chain, numbered from 1, and the points of the step, 0 if nothing pops."""
    groups = [popping(cells) for cells in field[1:]]
    gone = groups[0] | groups[1] | groups[2] | groups[3]
    if not gone:
        return field, 0
    bonus = CHAIN_POWERS[min(step, len(CHAIN_POWERS)) - 1] + COLOUR_BONUS[sum(map(bool, groups))]
    bonus += sum(GROUP_BONUS[min(size, 11)] for cells in groups for size in sizes(cells))
    points = 10 * gone.bit_count() * max(bonus, 1)
    return fallen(field, gone | field[0] & around(gone) & VISIBLE), points


def fallen(field: Field, gone: Cells) -> Field:
    """Return the field without the cells ``gone``, after the puyos above them have fallen."""
    sets = [cells & ~gone for cells in field]
    for row in range(ROWS - 1, -1, -1):
        if holes := gone & BOTTOM << row:
            above = holes * ((2 << ROWS - 1 - row) - 2)
            sets = [cells & ~above | (cells & above) >> 1 for cells in sets]
    return tuple(sets)


def resolve(field: Field) -> tuple[Field, int, int]:
    """Return the field after a whole chain, the number of its steps and its points."""
    steps = score = 0
    while True:
        field, points = pop(field, steps + 1)
        if not points:
            return field, steps, score
        steps, score = steps + 1, score + points


def drop(field: Field, pair: Pair, placement: Placement) -> tuple[Field, int, int]:
    """Return the field after placing a pair and the whole chain, the number of its steps and its points."""
    after = place(field, pair, placement)
    if popping(after[pair[0]]) or popping(after[pair[1]]):
        return resolve(after)
    return after, 0, 0


def is_dead(field: Field) -> bool:
    """Return whether no further pair can appear on the field."""
    return bool(cells_of(field) & DEATH)


def play(decide: Callable[[Match], Placement]) -> None:
    """Play a match: ``decide`` gets the match each time a pair is to be placed, and returns the placement."""
    header = input()  # your seat, the length of a match, the rate at its start and the ticks that a chain step takes
    while question := sys.stdin.readline().split():
        match = Match(int(question[0]), int(question[1]), _read_player(), _read_player())
        random.seed(f"{header} {match}")  # the same match is played the same way again
        print(*decide(match), flush=True)


def _read_player() -> Player:
    pairs = [(axis, child) for axis, child in (_numbers() for _ in range(3))]
    score, pending, fixed, carry, all_clear, chain = _numbers()
    rows = [input() for _ in range(ROWS)]
    return Player(pairs, score, pending, fixed, carry, bool(all_clear), chain, read_field(rows))


def read_field(rows: list[str], colours: int = 4) -> Field:
    """Return the field that rows of text show, the uppermost row first; in Tsu there are 13, and that one is hidden.

    ``colours`` is the number of colours of the rules.
    """
    sets = [0] * (1 + colours)
    for y, row in enumerate(reversed(rows)):
        for x, puyo in enumerate(row):
            if puyo != ".":
                sets[int(puyo)] |= 1 << 16 * x + y
    return tuple(sets)


def _numbers() -> list[int]:
    return [int(word) for word in input().split()]
