"""Many fields at once: numpy works on all of them in the time that plain Python needs for a few.

An array of n fields has the shape (5, 6, n); the axes are garbage and the four colours, the columns, and the fields.
Each number has the rows of a column as bits, the lowest row first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from puyo import (
    ASIDE,
    CHAIN_POWERS,
    COLOUR_BONUS,
    COLUMNS,
    DOWN,
    GROUP_BONUS,
    SPAWN,
    UP,
    Field,
    Pair,
    Placement,
    reachable,
)

Fields = NDArray[np.uint16]

ONE = np.uint16(1)
VISIBLE = np.uint16(0x0FFF)
ALL = np.uint16(0x1FFF)
BITS = np.array([number.bit_count() for number in range(1 << 16)], np.uint8)
"""BITS[rows]: the number of rows that are set."""
CHAINS, COLOURS, GROUPS = np.array(CHAIN_POWERS), np.array(COLOUR_BONUS), np.array(GROUP_BONUS)
KEYS = np.random.default_rng(0).integers(1, 1 << 62, (5, COLUMNS), np.uint64)
"""Two fields count as equal if the sums of their columns, each times its key, are equal."""


class Level(NamedTuple):
    """Different fields that are reached after some pairs."""

    fields: Fields
    starts: list[Placement]
    """The placement of the first pair on the way to each field."""
    parents: NDArray[np.intp]
    """The index, in the level before, of the field before the last pair."""
    steps: NDArray[np.int64]
    """Number of steps of the chain that the last pair triggered."""
    score: NDArray[np.int64]
    """Score of that chain."""

    def only(self, places: NDArray[np.intp]) -> Level:
        """Return the level with some of its fields, given their indices in order."""
        starts = [self.starts[place] for place in places.tolist()]
        return Level(self.fields[:, :, places], starts, self.parents[places], self.steps[places], self.score[places])


def begun(field: Field) -> Level:
    """Return the level before the first pair, which has one field in the form of ``puyo``."""
    columns = [[[cells >> 16 * x & 0x1FFF] for x in range(COLUMNS)] for cells in field]
    none = np.zeros(1, np.int64)
    return Level(np.array(columns, np.uint16), [], none, none, none)


def longer(level: Level, pair: Pair) -> Level:
    """Return the level after one more pair, without fields on which no further pair can appear."""
    options = [reachable(tuple(columns)) for columns in heights(level.fields).T.tolist()]
    parents = np.repeat(np.arange(len(options)), [len(option) for option in options])
    placements = [placement for option in options for placement in option]
    fields, steps, score = resolve(placed(level.fields[:, :, parents], pair, placements))
    starts = [level.starts[parent] for parent in parents.tolist()] if level.starts else placements
    after = Level(fields, starts, parents, steps, score)
    places = different(fields)
    return after.only(places[~are_dead(fields[:, :, places])])


def heights(fields: Fields) -> NDArray[np.uint8]:
    """Return (6, n): the heights of the columns."""
    return BITS[np.bitwise_or.reduce(fields)]


def placed(fields: Fields, pair: Pair, placements: list[Placement]) -> Fields:
    """Return the fields after a pair has been placed on each of them in its own way, before anything pops."""
    after, each, levels = fields.copy(), np.arange(len(placements)), heights(fields).astype(np.uint16)
    x, r = np.array(placements, np.intp).reshape(-1, 2).T
    child = x + np.array(ASIDE)[r]
    after[pair[0], x, each] |= ONE << levels[x, each] + (r == DOWN)
    after[pair[1], child, each] |= (ONE << levels[child, each] + (r == UP)) & ALL  # above the hidden row it vanishes
    return after


def popping(cells: Fields) -> Fields:
    """Return the cells in groups of four or more, given cells (.., 6, n) of one colour each."""
    cells = cells & VISIBLE
    above = cells & cells << ONE
    below = above >> ONE
    beside = cells[..., 1:, :] & cells[..., :-1, :]
    left, right = np.zeros_like(cells), np.zeros_like(cells)
    left[..., 1:, :] = beside
    right[..., :-1, :] = beside
    vertical, horizontal = above & below, left & right
    either_vertical, either_horizontal = above | below, left | right
    two = vertical | horizontal | either_vertical & either_horizontal
    three = vertical & either_horizontal | horizontal & either_vertical
    middle = three | two & around(two)
    return (middle | around(middle)) & cells


def around(cells: Fields) -> Fields:
    """Return the neighbours of cells above, below, right and left."""
    found = cells << ONE | cells >> ONE
    found[..., 1:, :] |= cells[..., :-1, :]
    found[..., :-1, :] |= cells[..., 1:, :]
    return found


def fallen(fields: Fields, gone: Fields) -> Fields:
    """Return fields without the cells ``gone`` (6, n), after the puyos above them have fallen.

    All columns are compressed at once, as in Hacker's Delight (7-4): in four rounds puyos fall by 1, 2, 4 and 8 rows.
    """
    keep = ~gone & ALL
    fields = fields & keep
    holes = gone << ONE
    for power in range(4):
        odd = holes
        for shift in (1, 2, 4, 8):
            odd = odd ^ odd << np.uint16(shift)
        moving = odd & keep
        step = np.uint16(1 << power)
        keep = keep ^ moving | moving >> step
        falling = fields & moving
        fields = fields ^ falling | falling >> step
        holes = holes & ~odd
    return fields


def resolve(fields: Fields) -> tuple[Fields, NDArray[np.int64], NDArray[np.int64]]:
    """Return the fields after their chains, and (n,) each: the number of steps and the score of the chain.

    Several groups of one colour that pop in the same step count as one.
    """
    fields, now, active = fields.copy(), fields, np.arange(fields.shape[2])
    steps, score = np.zeros(active.size, np.int64), np.zeros(active.size, np.int64)
    while active.size:
        gone = popping(now[1:])
        pops = gone.any(axis=(0, 1))
        active, now, gone = active[pops], now[:, :, pops], gone[:, :, pops]
        steps[active] += 1
        score[active] += points(gone, steps[active])
        cells = np.bitwise_or.reduce(gone)
        now = fallen(now, cells | now[0] & around(cells) & VISIBLE)
        fields[:, :, active] = now
    return fields, steps, score


def points(gone: Fields, step: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the points (n,) of popping cells (4, 6, n), by colour; ``step`` (n,) numbers chain steps from 1."""
    counts = BITS[gone].sum(axis=1, dtype=np.int64)
    bonus = CHAINS[np.minimum(step, len(CHAINS)) - 1] + COLOURS[(counts > 0).sum(axis=0)]
    bonus += GROUPS[np.minimum(counts, 11)].sum(axis=0)
    total: NDArray[np.int64] = 10 * counts.sum(axis=0) * np.maximum(bonus, 1)
    return total


def are_dead(fields: Fields) -> NDArray[np.bool_]:
    """Return (n,): whether no further pair can appear on each field."""
    return np.bitwise_or.reduce(fields[:, SPAWN]) >> np.uint16(11) & ONE != 0


def different(fields: Fields) -> NDArray[np.intp]:
    """Return the indices of different fields; of equal fields, that of the first."""
    keys = np.einsum("cx,cxn->n", KEYS, fields.astype(np.uint64))
    first: NDArray[np.intp] = np.unique(keys, return_index=True)[1]
    return first
