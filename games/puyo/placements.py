"""Placements of a pair: where it can go, where it comes to rest.

A placement is the column of the axis and a turn r: the child lies above the axis (0), right (1), below (2) or left (3).
On an empty field there are 22, ``PLACEMENTS``. Each puyo falls on its own column; what comes to rest above the field
vanishes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.puyo.chain import around, coloured, linked, resolve
from games.puyo.field import (
    COLUMNS,
    TSU,
    VISIBLE_ROWS,
    Bools,
    Field,
    Ints,
    Ruleset,
    blocks,
    colour_bit,
    free,
    heights,
)

UP, RIGHT, DOWN, LEFT = range(4)
ASIDE = np.array([0, 1, 0, -1])
"""Column of the child relative to the axis, by turn."""
PLACEMENTS = tuple((x, r) for x in range(COLUMNS) for r in (UP, RIGHT, DOWN, LEFT) if 0 <= x + int(ASIDE[r]) < COLUMNS)
"""All 22, as (column of the axis from 0, turn), sorted."""
SPAWN = 2
"""Column where pairs appear."""
SPAWN_HEIGHT = 11
"""A higher spawn column means death."""
_KICKED_AT = 11
_WALL = 12


def legal(rules: Ruleset, columns: Ints) -> Bools:
    """Return (22, N): what may be placed on columns (6, N) of these heights, in the order of ``PLACEMENTS``.

    Tsu: what can be reached. Smash the Code: what finds room; that may be nothing.
    """
    if rules is TSU:
        return reachable(columns)
    return np.stack([_fits(columns, x, r) for x, r in PLACEMENTS])


def _fits(columns: Ints, x: int, r: int) -> Bools:
    child = x + int(ASIDE[r])
    fits: Bools = (columns[x] + 1 + (child == x) <= VISIBLE_ROWS) & (columns[child] < VISIBLE_ROWS)
    return fits


def reachable(columns: Ints) -> Bools:
    """Return where a pair can be brought by the turns and kicks of Tsu, without time pressure.

    Args:
        columns: (6, N), heights, 0 to 13.

    Returns:
        (22, N), in the order of ``PLACEMENTS``; all False where the spawn column is too high to live.
    """
    allowed: Bools = _reachable_by_levels().take(_levels(columns), axis=1)
    return allowed


def reaches(columns: Ints, numbers: Ints) -> Bools:
    """Return (N,): whether pairs can be brought to one placement each (N,), by number, on columns (6, N)."""
    allowed: Bools = _reachable_by_levels()[numbers, _levels(columns)]
    return allowed


def _levels(columns: Ints) -> Ints:
    """Return (N,): the heights of columns (6, N) as a place in ``_reachable_by_levels``."""
    levels = np.maximum(columns.astype(np.intp), _KICKED_AT - 1) - (_KICKED_AT - 1)  # lower ones are all alike
    place: Ints = _LEVEL_WEIGHTS @ levels
    return place


_LEVEL_WEIGHTS = 4 ** np.arange(COLUMNS)


@cache
def _reachable_by_levels() -> Bools:
    """Return (22, 4096): the answer for every six heights from 10 to 13."""
    columns = np.arange(4**COLUMNS) // _LEVEL_WEIGHTS[:, None] % 4 + _KICKED_AT - 1
    ways = [_passable(columns, far) for far in range(COLUMNS)]
    table: Bools = np.empty((len(PLACEMENTS), columns.shape[1]), np.bool_)
    for number, (x, r) in enumerate(PLACEMENTS):
        child = x + int(ASIDE[r])
        far = child if abs(child - SPAWN) > abs(x - SPAWN) else x
        table[number] = ways[far] & (columns[x] + (r == DOWN) <= _WALL) & (columns[SPAWN] <= SPAWN_HEIGHT)
    return table


def _passable(columns: Ints, far: int) -> Bools:
    """Return (N,): whether a pair gets from the spawn column to the column ``far``.

    A column of 13 blocks. Before the first column of 12 on the way the axis must be lifted to the hidden row: by a turn
    between two walls at the spawn column, or by a kick off a column of 11 that is reached on the way back from it.
    """
    out = 1 if far > SPAWN else -1
    way = range(SPAWN + out, far + out, out) if far != SPAWN else range(0)
    foothold = _footholds(columns, -out)
    turned = (columns[SPAWN - 1] >= _WALL) & (columns[SPAWN + 1] >= _WALL)
    passable, lifted = np.ones((2, columns.shape[1]), np.bool_)
    walled = np.zeros_like(lifted)
    for x in way:
        passable &= columns[x] <= _WALL
        first = (columns[x] == _WALL) & ~walled
        lifted &= ~first | turned | foothold[x - out]
        walled |= first
    passable &= lifted
    return passable


def _footholds(columns: Ints, out: int) -> list[Bools]:
    """Return for each column, whether from it on in direction ``out`` a column of 11 comes before a wall or edge."""
    found = [np.zeros(columns.shape[1], np.bool_)] * (COLUMNS + 2)  # beyond both edges there is none
    for x in range(COLUMNS) if out < 0 else reversed(range(COLUMNS)):
        found[x] = (columns[x] == _KICKED_AT) | (columns[x] < _KICKED_AT) & found[x + out]
    return found


def drop(rules: Ruleset, fields: Field, pairs: Ints, moves: Ints) -> tuple[Field, Bools]:
    """Let pairs fall, each where its placement says; nothing pops yet. Without room for the first, none is placed.

    Args:
        rules: sizes.
        fields: (6, N).
        pairs: (2, N): colours of axis and child, from 1.
        moves: (2, N): column of the axis and turn; both columns must exist.

    Returns:
        The fields, and (N,): whether both puyos found room.
    """
    column, turn = moves
    child = column + ASIDE.take(turn)
    first = np.array([turn == DOWN, turn != DOWN])  # the child falls first where it is below
    columns = np.where(first, child, column)
    places = columns * fields.shape[1] + np.arange(fields.shape[1])
    fields = fields.copy()
    flat = fields.reshape(-1)
    marks = free(rules, flat.take(places))
    marks[1] <<= rules.bits * (child == column)
    puyos = marks * colour_bit(np.where(first, pairs[1], pairs[0])) & rules.inside
    puyos[1] *= puyos[0] != 0
    flat[places[0]] |= puyos[0]
    flat[places[1]] |= puyos[1]
    return fields, puyos[1] != 0


@dataclass(frozen=True, slots=True)
class Expansion:
    """All placements of a pair on N fields, with their chains: arrays (22, N), in the order of ``PLACEMENTS``."""

    fields: Field
    """(6, 22, N)"""
    legal: Bools
    """What may not be placed has a field, too, which means nothing."""
    chains: NDArray[np.int64]
    score: NDArray[np.int64]


def expand(rules: Ruleset, fields: Field, pair: tuple[int, int]) -> Expansion:
    """Place a pair in all 22 ways on each of many settled fields (in none of which anything pops).

    Args:
        rules: sizes and tables.
        fields: (6, N).
        pair: colours of axis and child, from 1.
    """
    resting = _resting(rules, fields, pair)
    after = np.empty((COLUMNS, len(PLACEMENTS), fields.shape[1]), np.uint64)
    after[:] = fields[:, None]
    for number, ((x, axis_row), (child, child_row)) in enumerate(_CELLS):
        after[x, number] |= resting[0, axis_row, x]
        after[child, number] |= resting[1, child_row, child]
    allowed = legal(rules, heights(rules, fields))
    going = np.flatnonzero(_pops(rules, fields, resting, double=pair[0] == pair[1]) & allowed)
    resolved = resolve(rules, after.reshape(COLUMNS, -1).take(going, axis=1))
    after.reshape(COLUMNS, -1)[:, going] = resolved.fields
    chains, score = np.zeros((2, *allowed.shape), np.int64)
    chains.reshape(-1)[going] = resolved.chains
    score.reshape(-1)[going] = resolved.score
    return Expansion(after, allowed, chains, score)


_CELLS = tuple(((x, int(r == DOWN)), (x + int(ASIDE[r]), int(r == UP))) for x, r in PLACEMENTS)
"""Column of the axis and its row above the pile, then those of the child; by placement."""


def _resting(rules: Ruleset, fields: Field, pair: tuple[int, int]) -> Field:
    """Return (2, 2, 6, N): axis and child at rest on each column, with none and with one puyo below it."""
    lower = free(rules, fields) & rules.inside
    marks = np.stack([lower, lower << rules.bits & rules.inside])
    return colour_bit(np.array(pair))[:, None, None, None] * marks


def _pops(rules: Ruleset, fields: Field, resting: Field, *, double: bool) -> Bools:
    """Return (22, N): whether anything pops.

    Two puyos of different colours pop each for itself. Of two alike, the second may need the first: it is tried on the
    fields that have the first one already.
    """
    hits = (resting & triggers(rules, fields)) != 0
    pops = np.stack([hits[0, row, x] | hits[1, child_row, child] for (x, row), (child, child_row) in _CELLS])
    if double:
        with_one = np.repeat(fields[:, None], COLUMNS, axis=1)
        for x in range(COLUMNS):
            with_one[x, x] |= resting[0, 0, x]
        second = triggers(rules, with_one.reshape(COLUMNS, -1)).reshape(with_one.shape)
        for number, ((x, _), (child, _)) in enumerate(_CELLS):
            pops[number] |= (second[child, x] & resting[1, int(x == child), child]) != 0
    return pops


def triggers(rules: Ruleset, fields: Field) -> Field:
    """Return the empty cells at which one more puyo would make a group of four, with the bits of its colours."""
    return np.concatenate([_triggers(rules, block) for block in blocks(fields)], axis=1)


def _triggers(rules: Ruleset, fields: Field) -> Field:
    """Do so for one block.

    Its neighbours below, left and right belong to groups of one, two or three puyos, or three and more count alike.
    Together they must be three: one of a group of three, or two of which one is of a group of two, or three. Two
    neighbours of one and the same group are no exception, for then it is a group of three.
    """
    cells = coloured(rules, fields)
    two, middle, _ = linked(rules, cells)
    three = (middle | around(rules, middle)) & cells
    below, left, right = _neighbours(rules, cells)
    pair = below & left | (below | left) & right
    beside_two, beside_three = (_any(_neighbours(rules, group)) for group in (two, three))
    found: Field = (beside_three | pair & beside_two | below & left & right) & rules.visible
    return found


def _neighbours(rules: Ruleset, cells: Field) -> tuple[Field, Field, Field]:
    """Return the cells above the given ones, those right of them and those left of them."""
    left, right = np.zeros((2, *cells.shape), np.uint64)
    left[1:] = cells[:-1]
    right[:-1] = cells[1:]
    return cells << rules.bits, left, right


def _any(marks: tuple[Field, Field, Field]) -> Field:
    return marks[0] | marks[1] | marks[2]
