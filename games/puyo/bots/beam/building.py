"""Builds long chains by beam search: of all fields after a pair, only the best few are searched further.

The most important part of a field's value is its *potential*: the longest chain that a few more puyos of one colour
would trigger somewhere. This looks further ahead than any search over pairs. Since it is expensive, it is computed only
for fields whose shape and connections, which are cheap to compute, are good. After the known pairs the search goes on
with several fixed queues of possible pairs; the value of a placement is the sum over all of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from fields import BITS, ONE, Fields, Level, begun, heights, longer, popping, resolve
from numpy.typing import NDArray
from puyo import SPAWN, Field, Pair, Placement, placements

WIDTH = 40
"""Number of fields that are searched further after each pair."""
NODES = 400
"""Number of fields whose potential is computed after each pair."""
QUEUES = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
"""Possible pairs after the known ones: all ways to divide the four colours among two pairs."""
QUEUE_WIDTH, QUEUE_NODES = 14, 70
"""Like ``WIDTH`` and ``NODES``, for the pairs of queues."""
MISSED = 300.0
"""A placement that leads to no field in the beam of a queue has the value of the worst field in it less this."""
DISHES = np.array((1, 0, 0, 0, 0, 1))
"""How much higher than the mean each column should be: lower middle columns let chains turn round there."""
PUYOS_MAX = 3
"""The most puyos of one colour that may be missing to trigger a chain."""
WASTE = 400.0
"""Cost of each step of a chain that is triggered while building."""

Values = NDArray[np.float64]


class Beam(NamedTuple):
    """The fields that are searched further, the best one first."""

    level: Level
    lost: Values
    """Cost of the chains triggered on the way to each field."""
    value: Values

    def starts(self) -> dict[Placement, float]:
        """Return for each first placement the value of the best field to which it leads."""
        values = zip(self.level.starts, self.value.tolist(), strict=True)
        return dict(reversed(list(values)))


def build(field: Field, pairs: list[Pair], end: float) -> Placement:
    """Return the placement with which the most promising sequences of placements begin.

    Args:
        field: the present field.
        pairs: the known pairs.
        end: CPU time at which the search ends.
    """
    beam, answer = Beam(begun(field), np.zeros(1), np.zeros(1)), placements(field)[0]
    for pair in pairs:
        beam = further(beam, pair, NODES, WIDTH)
        if not beam.level.starts:
            return answer
        answer = beam.level.starts[0]
        if time.process_time() > end:
            return answer
    worth = beam.starts()
    for queue in QUEUES:
        if time.process_time() > end:
            break
        found = continued(beam, queue).starts()
        lost = min(found.values(), default=0.0) - MISSED
        worth = {start: value + found.get(start, lost) for start, value in worth.items()}
    return max(worth, key=worth.__getitem__)


def continued(beam: Beam, queue: tuple[Pair, ...]) -> Beam:
    """Return the beam after a queue of possible pairs."""
    beam = Beam(beam.level.only(np.arange(beam.value.size)[:QUEUE_WIDTH]), beam.lost[:QUEUE_WIDTH], beam.value)
    for pair in queue:
        if beam.level.starts:
            beam = further(beam, pair, QUEUE_NODES, QUEUE_WIDTH)
    return beam


def further(beam: Beam, pair: Pair, nodes: int, width: int) -> Beam:
    """Return the beam after one more pair.

    Args:
        beam: at least one field.
        pair: the next pair.
        nodes: number of fields whose potential is computed.
        width: number of fields in the new beam.
    """
    level = longer(beam.level, pair)
    lost = beam.lost[level.parents] + WASTE * level.steps
    cheap = shape(level.fields) - lost
    promising = np.argsort(-cheap, kind="stable")[:nodes]
    value = cheap[promising] + potential(level.fields[:, :, promising])
    order = np.argsort(-value, kind="stable")[:width]
    best = promising[order]
    return Beam(level.only(best), lost[best], value[order])


def shape(fields: Fields) -> Values:
    """Return the value of the shape and the connections of fields."""
    columns, colours = heights(fields).astype(np.float64), fields[1:]
    uneven = np.abs(columns - columns.mean(axis=0) - DISHES[:, None]).sum(axis=0)
    linked = BITS[colours & colours << ONE].sum(axis=(0, 1), dtype=np.int64)
    linked += BITS[colours[:, 1:] & colours[:, :-1]].sum(axis=(0, 1), dtype=np.int64)
    too_high: Values = np.maximum(columns[SPAWN] - 9, 0)
    return 60.0 * linked - 60.0 * uneven - 500.0 * too_high


def potential(fields: Fields) -> Values:
    """Return the value of the longest chain that a few puyos of one colour, dropped in one column, would trigger."""
    chains, places = zip(*_set_off(fields), strict=True)
    puyos = np.repeat(np.arange(1, PUYOS_MAX + 1), [at.size for at in places])
    best = np.zeros(fields.shape[2])
    np.maximum.at(best, np.concatenate(places), 1000.0 * resolve(np.concatenate(chains, axis=2))[1] - 200.0 * puyos)
    return best


def _set_off(fields: Fields) -> Iterator[tuple[Fields, NDArray[np.intp]]]:
    """Yield, for 1, 2 and 3 dropped puyos that pop, the fields with them and the indices of those without them."""
    levels = heights(fields).astype(np.uint16)
    colour, x, at = np.nonzero(_beside(fields[1:], levels))
    for puyos in range(1, PUYOS_MAX + 1):
        fits = levels[x, at] + puyos <= 12
        colour, x, at = colour[fits], x[fits], at[fits]
        cells = fields[colour + 1, :, at].T
        cells[x, np.arange(at.size)] |= np.uint16((1 << puyos) - 1) << levels[x, at]
        pops = popping(cells).any(axis=0)
        chains, (which,) = fields[:, :, at[pops]], np.nonzero(pops)
        chains[colour[pops] + 1, :, np.arange(which.size)] = cells[:, which].T
        yield chains, at[pops]
        colour, x, at = colour[~pops], x[~pops], at[~pops]


def _beside(colours: Fields, levels: Fields) -> NDArray[np.bool_]:
    """Return for each colour, column and field whether puyos dropped there would touch others of their colour."""
    dropped = np.uint16((1 << PUYOS_MAX) - 1) << levels
    found = colours & (ONE << levels) >> ONE != 0
    found[:, 1:] |= colours[:, :-1] & dropped[1:] != 0
    found[:, :-1] |= colours[:, 1:] & dropped[:-1] != 0
    return found
