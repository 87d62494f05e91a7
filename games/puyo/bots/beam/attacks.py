"""Computes the attacks that a player can make with the known pairs, and the remaining steps of a running chain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from fields import begun, longer
from puyo import Field, Placement, Player, pop

PAIRS = 3
"""Number of pairs that are considered."""
ALL_CLEAR = 30
"""Additional garbage of the first chain after one that has emptied the field."""


class Attack(NamedTuple):
    """The strongest attack that a player can make with one of the next pairs."""

    garbage: int
    steps: int
    start: Placement
    """The placement of the present pair that leads to it."""
    clears: bool
    """Whether it empties the field, which makes the next attack stronger."""


class Running(NamedTuple):
    """The remaining steps of a running chain."""

    ticks: int
    garbage: int
    field: Field
    """The field after the chain."""


def attacks(player: Player, field: Field, rate: int, pairs: int = PAIRS) -> list[Attack]:
    """Return, for each of the next pairs, the strongest attack that it can trigger if no earlier pair triggers one.

    Args:
        player: the attacking player.
        field: the player's field when the first of the pairs is placed.
        rate: number of points that make one garbage puyo.
        pairs: number of pairs to consider.
    """
    level, found = begun(field), []
    for pair in player.pairs[: min(pairs, PAIRS)]:
        level = longer(level, pair)
        if not level.starts:
            break
        clears = ~level.fields.any(axis=(0, 1))
        best = int((level.score + ALL_CLEAR * rate * clears).argmax())
        garbage = (player.carry + int(level.score[best])) // rate
        garbage += ALL_CLEAR * (player.all_clear and level.steps[best] > 0)
        found.append(Attack(garbage, int(level.steps[best]), level.starts[best], bool(clears[best])))
        level = level.only(np.flatnonzero(level.steps == 0))
    return found


def running(player: Player, rate: int) -> Running:
    """Return the remaining steps of a player's chain."""
    field, ticks, score = player.field, 0, 0
    while player.chain:
        field, points = pop(field, player.chain + ticks + 1)
        if not points:
            break
        ticks, score = ticks + 1, score + points
    return Running(ticks, (player.carry + score) // rate, field)
