"""random: chooses any possible placement of each pair."""

import random

from puyo import Match, Placement, placements, play


def decide(match: Match) -> Placement:
    """Return any placement."""
    return random.choice(placements(match.me.field))


play(decide)
