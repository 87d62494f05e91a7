"""The rules of popping: groups, steps and whole chains.

In a step all groups pop at once; a group is four or more connected cells of one colour in the visible rows. Garbage
beside them disappears, too (except in the hidden row); then everything above falls. A step scores
10 * popped * clamp(chain power + colour bonus + group bonus, 1, 999), without garbage.

Functions take fields (6, N), see ``field``, and work on all colours of all fields at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.puyo.field import COLUMNS, GARBAGE, ONE, Field, Ints, Ruleset, blocks, garbage_marks, occupied

GROUP = 4
"""The least number of connected puyos that pop."""
FACTOR_MAX = 999
"""The greatest sum of the bonuses of a step."""


def popping(rules: Ruleset, fields: Field) -> Field:
    """Return the cells of all groups of four or more."""
    return np.concatenate([_popping(rules, block) for block in blocks(fields)], axis=1)


def _popping(rules: Ruleset, fields: Field) -> Field:
    """Return the result of ``popping`` for one block of fields.

    Each group of four or more has a cell with three neighbours of its colour, or two neighbouring cells with two such
    neighbours each; and all of its cells are such cells or their neighbours. So no flood fill is needed.
    """
    cells = coloured(rules, fields)
    _, two, three = linked(rules, cells)
    above = two & two << rules.bits
    beside = two[1:] & two[:-1]
    seeds = three | above | above >> rules.bits
    seeds[1:] |= beside
    seeds[:-1] |= beside
    if not seeds.any():
        return seeds
    return (seeds | around(rules, seeds)) & cells


def coloured(rules: Ruleset, fields: Field) -> Field:
    """Return the cells that can pop: those in visible rows without garbage."""
    return (fields ^ garbage_marks(rules, fields) * GARBAGE) & rules.visible


def linked(rules: Ruleset, cells: Field) -> tuple[Field, Field, Field]:
    """Return the cells with at least one, at least two, and at least three neighbours of their colour."""
    below = cells & cells << rules.bits
    above = below >> rules.bits
    beside = np.zeros((COLUMNS + 1, *cells.shape[1:]), np.uint64)
    np.bitwise_and(cells[1:], cells[:-1], out=beside[1:-1])
    left, right = beside[:-1], beside[1:]
    one_upright, both_upright = below | above, below & above
    one_level, both_level = left | right, left & right
    two = both_upright | both_level | one_upright & one_level
    return one_upright | one_level, two, both_upright & one_level | both_level & one_upright


def around(rules: Ruleset, cells: Field) -> Field:
    """Return the four neighbours of each cell; they may include cells above the field."""
    spread = cells << rules.bits | cells >> rules.bits
    spread[1:] |= cells[:-1]
    spread[:-1] |= cells[1:]
    return spread


def pop(rules: Ruleset, fields: Field, popped: Field) -> Field:
    """Return the fields after cells have popped, with the garbage beside them, and everything above has fallen."""
    gone = occupied(rules, popped) * rules.cell
    garbage = garbage_marks(rules, fields)
    if garbage.any():
        gone |= around(rules, gone) & garbage * rules.cell & rules.visible
    fields = fields.copy()
    changed = np.flatnonzero(gone)
    fields.reshape(-1)[changed] = _fallen(rules, fields.reshape(-1).take(changed), gone.reshape(-1).take(changed))
    return fields


def _fallen(rules: Ruleset, columns: Field, gone: Field) -> Field:
    """Return columns (n,) without some of their cells, which are removed run by run from the bottom."""
    while gone.any():
        below = (gone & ~gone + ONE) - ONE  # all bits below the lowest run
        run = gone & ~(gone + below + ONE)
        height = np.bitwise_count(run).astype(np.uint64)
        columns = columns & below | columns >> height & ~below
        gone = (gone ^ run) >> height
    return columns


@dataclass(frozen=True, slots=True)
class Points:
    """The score of a step and its parts, (N,) each."""

    popped: NDArray[np.int64]
    """Number of coloured puyos popped."""
    chain_power: Ints
    """One number if the step is the same for all fields."""
    colour_bonus: NDArray[np.int64]
    group_bonus: NDArray[np.int64]
    score: NDArray[np.int64]


def points(rules: Ruleset, popped: Field, step: int | Ints) -> Points:
    """Return the score of popped cells; ``step`` is the number of the step in its chain, from 1, for all or (N,)."""
    of_colour = popped & rules.each_colour
    counts = np.bitwise_count(of_colour).sum(axis=1, dtype=np.int64)
    power = rules.chain_power.take(step, mode="clip")
    colour_bonus = rules.colour_bonus.take((counts > 0).sum(axis=0))
    group_bonus = rules.group_bonus.take(counts, mode="clip").sum(axis=0)
    several = np.flatnonzero(counts.max(axis=0) >= 2 * GROUP)
    if several.size:
        group_bonus[several] = _group_bonus(rules, of_colour[:, :, several])
    total = counts.sum(axis=0)
    factor = np.minimum(np.maximum(power + colour_bonus + group_bonus, 1), FACTOR_MAX)
    return Points(total, power, colour_bonus, group_bonus, 10 * total * factor)


def _group_bonus(rules: Ruleset, of_colour: Field) -> NDArray[np.int64]:
    """Return (N,): the sum of the bonuses of all groups, given the popped cells (colours, 6, N) of each colour."""
    left = np.moveaxis(of_colour, 0, 1).reshape(COLUMNS, -1)
    bonus = np.zeros(left.shape[1], np.int64)
    while left.any():
        group = _first_group(rules, left)
        size = np.bitwise_count(group).sum(axis=0, dtype=np.int64)
        bonus += rules.group_bonus.take(size, mode="clip")
        left = left ^ group
    total: NDArray[np.int64] = bonus.reshape(len(of_colour), -1).sum(axis=0)
    return total


def _first_group(rules: Ruleset, cells: Field) -> Field:
    """Return the cells of one whole group of each field; none if the field has no cells."""
    column = (cells != 0).argmax(axis=0)
    group = np.where(np.arange(COLUMNS)[:, None] == column, cells & ~cells + ONE, np.uint64(0))
    while True:
        larger = (group | around(rules, group)) & cells
        if (larger == group).all():
            return group
        group = larger


@dataclass(frozen=True, slots=True)
class Resolution:
    """N fields after their chains."""

    fields: Field
    """(6, N)"""
    chains: NDArray[np.int64]
    """(N,): number of steps."""
    score: NDArray[np.int64]
    """(N,): sum over all steps."""


def resolve(rules: Ruleset, fields: Field) -> Resolution:
    """Return the fields after whole chains have popped."""
    parts = [_resolve(rules, block) for block in blocks(fields)]
    return Resolution(
        np.concatenate([part.fields for part in parts], axis=1),
        np.concatenate([part.chains for part in parts]),
        np.concatenate([part.score for part in parts]),
    )


def _resolve(rules: Ruleset, fields: Field) -> Resolution:
    """Return the result of ``resolve`` for one block of fields.

    Each step works only on the fields in which something still pops.
    """
    fields = fields.copy()
    chains, score = np.zeros((2, fields.shape[1]), np.int64)
    going, now, step = np.arange(fields.shape[1]), fields, 0
    while True:
        popped = _popping(rules, now)
        still = np.flatnonzero(np.bitwise_or.reduce(popped, axis=0))
        if not still.size:
            return Resolution(fields, chains, score)
        step += 1
        going, popped = going.take(still), popped.take(still, axis=1)
        now = pop(rules, now.take(still, axis=1), popped)
        fields[:, going] = now
        chains[going] = step
        score[going] += points(rules, popped, step).score
