"""Builds long chains by beam search: of all fields that come out of a pair, only the best few are followed further.

A field is worth most by its *potential*: the longest chain that a few more puyos of one colour would set off somewhere.
This looks further ahead than any search over pairs. It costs much, so that a cheap look at shape and connections first
tells which fields deserve it.
"""

from __future__ import annotations

import time

import numpy as np
from fields import BITS, ONE, Fields, Level, are_dead, begun, heights, longer, popping, resolve
from numpy.typing import NDArray
from puyo import SPAWN, Field, Pair, Placement, placements

WIDTH = 40
"""Fields that are followed further."""
NODES = 400
"""Fields whose potential is asked for, of each pair."""
DISHES = np.array((1, 0, 0, 0, 0, 1))
"""How much higher than the mean each column should be: puyos slide to the middle, where chains turn round."""
PUYOS_MAX = 3
"""So many more of one colour may be needed to set off a chain."""
WASTE = 400.0
"""What a step of a chain costs that is set off on the way."""

Values = NDArray[np.float64]


def build(field: Field, pairs: list[Pair], end: float) -> Placement:
    """Return the placement with which the most promising line begins.

    Args:
        field: as it is now.
        pairs: the known ones.
        end: CPU time at which it must be ready.
    """
    level, lost, answer = begun(field), np.zeros(1), placements(field)[0]
    for pair in pairs:
        level = longer(level, pair)
        lost = lost[level.parents] + WASTE * level.steps
        level, lost = best_of(level, lost)
        if not level.starts or time.process_time() > end:
            break
        answer = level.starts[0]
    return answer


def best_of(level: Level, lost: Values) -> tuple[Level, Values]:
    """Return the best fields, the best one first, with what was lost on the way to them."""
    alive = np.flatnonzero(~are_dead(level.fields))
    level, lost = level.only(alive), lost[alive]
    cheap = shape(level.fields) - lost
    promising = np.argsort(-cheap, kind="stable")[:NODES]
    value = cheap[promising] + potential(level.fields[:, :, promising])
    best = promising[np.argsort(-value, kind="stable")[:WIDTH]]
    return level.only(best), lost[best]


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
    best, levels = np.zeros(fields.shape[2]), heights(fields).astype(np.uint16)
    colour, x, at = np.nonzero(_beside(fields[1:], levels))
    for puyos in range(1, PUYOS_MAX + 1):
        room = levels[x, at] + puyos <= 12
        colour, x, at = colour[room], x[room], at[room]
        cells = fields[colour + 1, :, at].T
        cells[x, np.arange(at.size)] |= np.uint16((1 << puyos) - 1) << levels[x, at]
        pops = popping(cells).any(axis=0)
        chains, (which,) = fields[:, :, at[pops]], np.nonzero(pops)
        chains[colour[pops] + 1, :, np.arange(which.size)] = cells[:, which].T
        np.maximum.at(best, at[pops], 1000.0 * resolve(chains)[1] - 200.0 * puyos)
        colour, x, at = colour[~pops], x[~pops], at[~pops]
    return best


def _beside(colours: Fields, levels: Fields) -> NDArray[np.bool_]:
    """Say of each colour, column and field whether puyos dropped there would touch some of their colour."""
    dropped = np.uint16((1 << PUYOS_MAX) - 1) << levels
    found = colours & (ONE << levels) >> ONE != 0
    found[:, 1:] |= colours[:, :-1] & dropped[1:] != 0
    found[:, :-1] |= colours[:, 1:] & dropped[:-1] != 0
    return found
