"""beam: builds long chains by beam search (see ``building``) and fires them by rules.

It fires a chain if it kills, answers an attack in time, or is long enough; otherwise it goes on building. For both
players it knows which chains they can trigger with the next pairs, and how many ticks a running chain still takes.
"""

import time

from attacks import Attack, Running, attacks, running
from building import build
from puyo import COLUMNS, SPAWN, Field, Match, Placement, cells_of, heights, play

SECONDS = 0.065
"""CPU time of a decision, of the 0.1 allowed, after which no further pair or queue is begun. Only a slow machine leaves
some out."""
ACCEPTED = 11
"""The most garbage that is accepted without an answer: less than two lines."""
CLEAR_PAIRS = 2
"""An all clear is prepared if it takes at most this number of pairs."""
LONG = 6
"""A chain of at least this number of steps is fired."""
FULL = 54
"""Number of puyos on a field from which on there is hardly space to build."""


def decide(match: Match) -> Placement:
    """Return the placement that fires a chain, or goes on building."""
    end = time.process_time() + SECONDS
    mine = attacks(match.me, match.me.field, match.rate)
    shot = chosen(match, mine) if any(attack.steps for attack in mine) else None
    return shot.start if shot else build(match.me.field, match.me.pairs, end)


def chosen(match: Match, mine: list[Attack]) -> Attack | None:
    """Return the attack to make or to prepare now, if any.

    Args:
        match: the present state of the match.
        mine: the bot's attacks with each of the next pairs, at least one.
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
    """Return the best attack in time if it cancels at least half of the incoming garbage, or if that would kill us."""
    in_time = mine[: 1 if match.me.fixed else chain.ticks + 1]
    best = max(in_time, key=lambda attack: attack.garbage)
    kills = incoming - mine[0].garbage >= space(match.me.field)
    return best if best.steps and (kills or 2 * best.garbage >= incoming) else None


def answered(match: Match, attack: Attack, chain: Running) -> int:
    """Return the garbage that the opponent can send back while an attack runs."""
    pairs = attack.steps - chain.ticks + 1
    his = attacks(match.opponent, chain.field, match.rate, pairs) if pairs > 0 else []
    return max((answer.garbage for answer in his), default=0)


def space(field: Field) -> int:
    """Return the number of garbage puyos that fill the spawn column of a field."""
    return COLUMNS * (12 - heights(field)[SPAWN])


def deadly(match: Match, field: Field) -> int:
    """Return how much more garbage kills the opponent, given the opponent's field after its chain."""
    return space(field) - match.opponent.fixed - match.opponent.pending


play(decide)
