"""Attacks that a player can make with the pairs that are known, and what is still to come of a chain that runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from fields import begun, longer
from puyo import Field, Placement, Player, pop

PAIRS = 3
"""So many pairs are looked at."""
ALL_CLEAR = 30
"""So much more garbage is sent by the first chain after one that has left nothing."""


class Attack(NamedTuple):
    """The strongest attack that a player can make with one of the next pairs."""

    garbage: int
    steps: int
    start: Placement
    """How the present pair must be placed for it."""
    clears: bool
    """Nothing is left on the field after it: the next one is stronger."""


class Running(NamedTuple):
    """What is still to come of a chain that runs."""

    ticks: int
    garbage: int
    field: Field
    """As it will be after it."""


def attacks(player: Player, field: Field, rate: int, pairs: int = PAIRS) -> list[Attack]:
    """Return of each of the next pairs the strongest attack that it can set off, if no pair before it does.

    Args:
        player: who attacks.
        field: the player's field when the first of the pairs is placed.
        rate: points that make one garbage puyo.
        pairs: so many are looked at.
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
    """Return what is still to come of a player's chain."""
    field, ticks, score = player.field, 0, 0
    while player.chain:
        field, points = pop(field, player.chain + ticks + 1)
        if not points:
            break
        ticks, score = ticks + 1, score + points
    return Running(ticks, (player.carry + score) // rate, field)
