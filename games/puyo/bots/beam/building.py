"""Builds long chains by beam search: of all fields that come out of a pair, only the best few are followed further.

A field is worth most by its *potential*: the longest chain that a few more puyos of one colour would set off somewhere.
This looks further ahead than any search over pairs. It costs much, so that a cheap look at shape and connections first
tells which fields deserve it. Behind the known pairs the search goes on with fixed queues of pairs that may come, one
after the other: a placement is worth what it is worth now and in each of them.
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
"""Fields that are followed further."""
NODES = 400
"""Fields whose potential is asked for, of each pair."""
QUEUES = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
"""What may come after the known pairs: all ways to share the four colours out among two."""
QUEUE_WIDTH, QUEUE_NODES = 14, 70
"""As above, for pairs that are not known."""
MISSED = 300.0
"""How much less than the worst field of a queue's beam a placement is worth that leads to none of them."""
DISHES = np.array((1, 0, 0, 0, 0, 1))
"""How much higher than the mean each column should be: puyos slide to the middle, where chains turn round."""
PUYOS_MAX = 3
"""So many more of one colour may be needed to set off a chain."""
WASTE = 400.0
"""What a step of a chain costs that is set off on the way."""

Values = NDArray[np.float64]


class Beam(NamedTuple):
    """The fields that are followed further, the best one first."""

    level: Level
    lost: Values
    """What chains on the way to them have cost."""
    value: Values

    def starts(self) -> dict[Placement, float]:
        """Return what the best field is worth that each first placement leads to."""
        values = zip(self.level.starts, self.value.tolist(), strict=True)
        return dict(reversed(list(values)))


def build(field: Field, pairs: list[Pair], end: float) -> Placement:
    """Return the placement with which the most promising lines begin.

    Args:
        field: as it is now.
        pairs: the known ones.
        end: CPU time from which on it looks no further.
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
    """Go on with pairs that may come."""
    beam = Beam(beam.level.only(np.arange(beam.value.size)[:QUEUE_WIDTH]), beam.lost[:QUEUE_WIDTH], beam.value)
    for pair in queue:
        if beam.level.starts:
            beam = further(beam, pair, QUEUE_NODES, QUEUE_WIDTH)
    return beam


def further(beam: Beam, pair: Pair, nodes: int, width: int) -> Beam:
    """Go on by one pair.

    Args:
        beam: at least one field.
        pair: the next one.
        nodes: how many of the fields are asked for their potential.
        width: how many of these are followed further.
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
    """Return what shape and connections are worth."""
    columns, colours = heights(fields).astype(np.float64), fields[1:]
    uneven = np.abs(columns - columns.mean(axis=0) - DISHES[:, None]).sum(axis=0)
    linked = BITS[colours & colours << ONE].sum(axis=(0, 1), dtype=np.int64)
    linked += BITS[colours[:, 1:] & colours[:, :-1]].sum(axis=(0, 1), dtype=np.int64)
    too_high: Values = np.maximum(columns[SPAWN] - 9, 0)
    return 60.0 * linked - 60.0 * uneven - 500.0 * too_high


def potential(fields: Fields) -> Values:
    """Return what the longest chain is worth that puyos of one colour on one column would set off."""
    chains, places = zip(*_set_off(fields), strict=True)
    puyos = np.repeat(np.arange(1, PUYOS_MAX + 1), [at.size for at in places])
    best = np.zeros(fields.shape[2])
    np.maximum.at(best, np.concatenate(places), 1000.0 * resolve(np.concatenate(chains, axis=2))[1] - 200.0 * puyos)
    return best


def _set_off(fields: Fields) -> Iterator[tuple[Fields, NDArray[np.intp]]]:
    """Make the fields on which one puyo pops, two do, three: with them, and the places of those without."""
    levels = heights(fields).astype(np.uint16)
    colour, x, at = np.nonzero(_beside(fields[1:], levels))
    for puyos in range(1, PUYOS_MAX + 1):
        room = levels[x, at] + puyos <= 12
        colour, x, at = colour[room], x[room], at[room]
        cells = fields[colour + 1, :, at].T
        cells[x, np.arange(at.size)] |= np.uint16((1 << puyos) - 1) << levels[x, at]
        pops = popping(cells).any(axis=0)
        chains, (which,) = fields[:, :, at[pops]], np.nonzero(pops)
        chains[colour[pops] + 1, :, np.arange(which.size)] = cells[:, which].T
        yield chains, at[pops]
        colour, x, at = colour[~pops], x[~pops], at[~pops]


def _beside(colours: Fields, levels: Fields) -> NDArray[np.bool_]:
    """Say of each colour, column and field whether puyos dropped there would touch some of their colour."""
    dropped = np.uint16((1 << PUYOS_MAX) - 1) << levels
    found = colours & (ONE << levels) >> ONE != 0
    found[:, 1:] |= colours[:, :-1] & dropped[1:] != 0
    found[:, :-1] |= colours[:, 1:] & dropped[:-1] != 0
    return found
