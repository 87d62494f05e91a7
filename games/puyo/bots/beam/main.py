"""beam: builds long chains by beam search (see ``building``) and fires them by rules.

It fires what kills, what answers an attack in time, and what is long enough; else it goes on building. Of both players
it knows what they can set off with the next pairs, and how many ticks a chain that runs still takes.
"""

import time

from attacks import Attack, Running, attacks, running
from building import build
from puyo import COLUMNS, SPAWN, Field, Match, Placement, cells_of, heights, play

SECONDS = 0.065
"""CPU time until which a decision looks at a further pair or queue, of the 0.1 that it may take: so what has been begun
ends in time where a machine is slow, and only there some are left out."""
ACCEPTED = 11
"""Less garbage than two lines is let fall."""
CLEAR_PAIRS = 2
"""An all clear is taken if it needs no more pairs than these."""
LONG = 6
"""Steps of a chain that is fired in any case."""
FULL = 54
"""Puyos on a field on which there is hardly room to build."""


def decide(match: Match) -> Placement:
    """Fire, or build."""
    end = time.process_time() + SECONDS
    mine = attacks(match.me, match.me.field, match.rate)
    shot = chosen(match, mine) if any(attack.steps for attack in mine) else None
    return shot.start if shot else build(match.me.field, match.me.pairs, end)


def chosen(match: Match, mine: list[Attack]) -> Attack | None:
    """Return the attack to make or to prepare now, if any.

    Args:
        match: as it is now.
        mine: the own attacks with each of the next pairs, at least one.
    """
    chain = running(match.opponent, match.rate)
    incoming = match.me.fixed + match.me.pending + chain.garbage
    best = max(mine, key=lambda attack: attack.garbage)
    if incoming > ACCEPTED and (answer := answering(match, mine, incoming, chain)):
        return answer
    needed = incoming + deadly(match, chain.field) + answered(match, mine[0], chain)
    if mine[0].steps and mine[0].garbage >= needed:
        return mine[0]
    if clearing := next((attack for attack in mine[:CLEAR_PAIRS] if attack.clears), None):
        return clearing
    crowded = cells_of(match.me.field).bit_count() >= FULL or heights(match.me.field)[SPAWN] >= 10
    return best if best.steps and (crowded or best.steps >= LONG) else None


def answering(match: Match, mine: list[Attack], incoming: int, chain: Running) -> Attack | None:
    """Return the best attack that is in time to take off at least half of what is coming, or any if that would kill."""
    in_time = mine[: 1 if match.me.fixed else chain.ticks + 1]
    best = max(in_time, key=lambda attack: attack.garbage)
    kills = incoming - mine[0].garbage >= room(match.me.field)
    return best if best.steps and (kills or 2 * best.garbage >= incoming) else None


def answered(match: Match, attack: Attack, chain: Running) -> int:
    """Return the garbage that the opponent can send back while an attack runs."""
    pairs = attack.steps - chain.ticks + 1
    his = attacks(match.opponent, chain.field, match.rate, pairs) if pairs > 0 else []
    return max((answer.garbage for answer in his), default=0)


def room(field: Field) -> int:
    """Return how much garbage fills the spawn column of a field."""
    return COLUMNS * (12 - heights(field)[SPAWN])


def deadly(match: Match, field: Field) -> int:
    """Return how much more garbage kills the opponent; field: his, after his chain."""
    return room(field) - match.opponent.fixed - match.opponent.pending


play(decide)
