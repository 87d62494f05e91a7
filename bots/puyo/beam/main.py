"""beam: builds long chains by beam search (see ``building``) and fires them by rules.

It fires what kills, what answers an attack that is about to fall, and what is long enough; else it goes on building.
"""

import time
from dataclasses import dataclass

from building import build
from puyo import (
    COLUMNS,
    SPAWN,
    Match,
    Placement,
    Player,
    cells_of,
    drop,
    heights,
    is_dead,
    placements,
    play,
)

SECONDS = 0.08
"""CPU time for a decision, of the 0.1 that it may take; ends it only where a machine is slow."""
ACCEPTED = 11
"""Less garbage than two lines is let fall."""
LONG = 6
"""Steps of a chain that is fired in any case."""
FULL = 54
"""Puyos on a field on which there is hardly room to build."""


@dataclass(frozen=True)
class Shot:
    """A chain that can be fired now."""

    attack: int
    """Garbage that it sends."""
    steps: int
    placement: Placement


def decide(match: Match) -> Placement:
    """Fire, or build."""
    end = time.process_time() + SECONDS
    shots = sorted((shots_of(match.me, match.rate)), key=lambda shot: shot.attack)
    if shots and (shot := chosen(match, shots)):
        return shot.placement
    return build(match.me.field, match.me.pairs, end)


def shots_of(player: Player, rate: int) -> list[Shot]:
    """Return all chains that the present pair can set off and that leave their player alive."""
    found = []
    for placement in placements(player.field):
        field, steps, score = drop(player.field, player.pairs[0], placement)
        if steps and not is_dead(field):
            found.append(Shot((player.carry + score) // rate + 30 * player.all_clear, steps, placement))
    return found


def chosen(match: Match, shots: list[Shot]) -> Shot | None:
    """Return the shot to fire, if any.

    Args:
        match: as it is now.
        shots: at least one, the strongest one last.
    """
    strongest, incoming = shots[-1], match.me.fixed + match.me.pending
    if strongest.attack - incoming >= deadly(match.opponent):
        return strongest
    if match.me.fixed and incoming > ACCEPTED:  # it falls now
        enough = [shot for shot in shots if shot.attack >= incoming]
        return enough[0] if enough else strongest
    crowded = cells_of(match.me.field).bit_count() >= FULL or heights(match.me.field)[SPAWN] >= 10
    return strongest if crowded or strongest.steps >= LONG else None


def deadly(player: Player) -> int:
    """Return how much garbage fills a player's spawn column."""
    return COLUMNS * (12 - heights(player.field)[SPAWN]) - player.fixed - player.pending


play(decide)
