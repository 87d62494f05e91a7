"""Placements of a pair: which ones are possible, and where the puyos come to rest.

A pair consists of two puyos, *axis* and *child*. A placement is the column of the axis and a turn r: the child is above
the axis (0), right of it (1), below (2) or left (3). On an empty field there are 22 of them, ``PLACEMENTS``. Each puyo
falls in its own column; a puyo that comes to rest above the field vanishes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from games.puyo.chain import around, coloured, linked, resolve
from games.puyo.field import COLUMNS, TSU, VISIBLE_ROWS, Bools, Field, Ints, Ruleset, blocks, colour_bit, free, heights

UP, RIGHT, DOWN, LEFT = range(4)
ASIDE = np.array([0, 1, 0, -1])
"""Column of the child minus that of the axis, by turn."""
PLACEMENTS = tuple((x, r) for x in range(COLUMNS) for r in (UP, RIGHT, DOWN, LEFT) if 0 <= x + int(ASIDE[r]) < COLUMNS)
"""All 22 placements as (column of the axis from 0, turn), sorted."""
SPAWN = 2
"""The column where pairs appear."""
SPAWN_HEIGHT = 11
"""The greatest height of the spawn column at which a seat lives."""
_KICKED_AT = 11
"""Height of a column that lifts a pair by a kick, see ``_passable``."""
_WALL = 12
"""Height of a column that a pair passes only if it is lifted."""


def legal(rules: Ruleset, columns: Ints) -> Bools:
    """Return (22, N): whether each of ``PLACEMENTS`` is legal on columns of these heights (6, N).

    In Tsu, these are the placements to which a pair can be moved; in Smash the Code, those that fit into the field,
    which may be none.
    """
    if rules is TSU:
        return reachable(columns)
    return np.stack([_fits(columns, x, r) for x, r in PLACEMENTS])


def _fits(columns: Ints, x: int, r: int) -> Bools:
    child = x + int(ASIDE[r])
    fits: Bools = (columns[x] + 1 + (child == x) <= VISIBLE_ROWS) & (columns[child] < VISIBLE_ROWS)
    return fits


def reachable(columns: Ints) -> Bools:
    """Return (22, N): whether a pair can be moved to each of ``PLACEMENTS`` by the turns and kicks of Tsu.

    ``columns`` (6, N) are heights, 0 to 13. There is no time pressure. If the spawn column is too high to live, all are
    False.
    """
    allowed: Bools = _reachable_by_levels().take(_levels(columns), axis=1)
    return allowed


def reaches(columns: Ints, numbers: Ints) -> Bools:
    """Return (N,): whether a pair can be moved to one placement, given by number (N,), on columns (6, N)."""
    allowed: Bools = _reachable_by_levels()[numbers, _levels(columns)]
    return allowed


def _levels(columns: Ints) -> Ints:
    """Return (N,): the index in ``_reachable_by_levels`` of columns of these heights (6, N)."""
    levels = np.maximum(columns.astype(np.intp), _KICKED_AT - 1) - (_KICKED_AT - 1)  # lower heights make no difference
    place: Ints = _LEVEL_WEIGHTS @ levels
    return place


_LEVEL_WEIGHTS = 4 ** np.arange(COLUMNS)


@cache
def _reachable_by_levels() -> Bools:
    """Return (22, 4096): the result of ``reachable`` for all combinations of six heights from 10 to 13."""
    columns = np.arange(4**COLUMNS) // _LEVEL_WEIGHTS[:, None] % 4 + _KICKED_AT - 1
    ways = [_passable(columns, far) for far in range(COLUMNS)]
    table: Bools = np.empty((len(PLACEMENTS), columns.shape[1]), np.bool_)
    for number, (x, r) in enumerate(PLACEMENTS):
        child = x + int(ASIDE[r])
        far = child if abs(child - SPAWN) > abs(x - SPAWN) else x
        table[number] = ways[far] & (columns[x] + (r == DOWN) <= _WALL) & (columns[SPAWN] <= SPAWN_HEIGHT)
    return table


def _passable(columns: Ints, far: int) -> Bools:
    """Return (N,): whether a pair can be moved from the spawn column to the column ``far``.

    It cannot pass a column of height 13. Before the first column of height 12 the axis must be lifted to the hidden
    row: by a turn between two columns of height 12 beside the spawn column, or by a kick off a column of height 11 that
    the pair can reach by moving back from there.
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
    """Return for each column whether a column of height 11 lies at it or in direction ``out`` before any higher."""
    found = [np.zeros(columns.shape[1], np.bool_)] * (COLUMNS + 2)  # False beyond both edges
    for x in range(COLUMNS) if out < 0 else reversed(range(COLUMNS)):
        found[x] = (columns[x] == _KICKED_AT) | (columns[x] < _KICKED_AT) & found[x + out]
    return found


def drop(rules: Ruleset, fields: Field, pairs: Ints, moves: Ints) -> tuple[Field, Bools]:
    """Let a pair fall on each field. Nothing pops yet. If the puyo that falls first does not fit, neither is placed.

    ``fields`` are (6, N). ``pairs`` (2, N) are the colours of axis and child, from 1; ``moves`` (2, N) are the column
    of the axis and the turn, which must leave both puyos inside the field.

    Returns:
        The fields (6, N), and (N,): whether both puyos fit.
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
    """The results of all placements of a pair on N fields: arrays (22, N), in the order of ``PLACEMENTS``."""

    fields: Field
    """(6, 22, N): the fields after chains; undefined for illegal placements."""
    legal: Bools
    chains: NDArray[np.int64]
    score: NDArray[np.int64]


def expand(rules: Ruleset, fields: Field, pair: tuple[int, int]) -> Expansion:
    """Place a pair in all 22 ways on each of N fields (6, N), in which nothing pops, and let chains pop.

    ``pair`` are the colours of axis and child, from 1.
    """
    # (2, 2, 6, N): the bits of axis and child, in the lowest empty cell of each column and in the one above.
    lower = free(rules, fields) & rules.inside
    marks = np.stack([lower, lower << rules.bits & rules.inside])
    resting = colour_bit(np.array(pair))[:, None, None, None] * marks
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
"""For each placement, column and row of the axis, then those of the child; row 0 is the lowest empty cell."""


def _pops(rules: Ruleset, fields: Field, resting: Field, *, double: bool) -> Bools:
    """Return (22, N): whether anything pops after each placement.

    ``resting`` (2, 2, 6, N) are the bits of axis and child in the two lowest empty cells of each column; ``double``
    tells whether both have the same colour.

    Puyos of different colours pop independently of each other. If both have the same colour, the second may pop only
    because of the first, so it is checked on fields that contain the first already.
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
    """Return, at each empty cell, the bits of the colours of which one more puyo would complete a group of four."""
    return np.concatenate([_triggers(rules, block) for block in blocks(fields)], axis=1)


def _triggers(rules: Ruleset, fields: Field) -> Field:
    """Return the result of ``triggers`` for one block of fields.

    The neighbours of the cell below, left and right belong to groups of one, two, or three and more puyos. The new puyo
    needs three puyos of its colour: one neighbour in a group of three, or two neighbours of which one is in a group of
    two, or three neighbours. If two neighbours are in the same group, that group has at least three puyos.
    """
    cells = coloured(rules, fields)
    two, middle, _ = linked(rules, cells)
    three = (middle | around(rules, middle)) & cells
    below, left, right = _neighbours(rules, cells)
    pair = below & left | (below | left) & right
    beside_two, beside_three = (reduce(np.bitwise_or, _neighbours(rules, group)) for group in (two, three))
    found: Field = (beside_three | pair & beside_two | below & left & right) & rules.visible
    return found


def _neighbours(rules: Ruleset, cells: Field) -> tuple[Field, Field, Field]:
    """Return the cells above, right of, and left of the given ones."""
    left, right = np.zeros((2, *cells.shape), np.uint64)
    left[1:] = cells[:-1]
    right[:-1] = cells[1:]
    return cells << rules.bits, left, right
