"""random: bids a little now and then, and takes and empties anything."""

import random

from attack25 import Match, owned, play


def bid(match: Match) -> int:
    """Return any bid up to a tenth of the chips."""
    return random.randint(0, match.my_chips // 10)


def pick(match: Match, panels: list[int]) -> int:
    """Return any panel."""
    return random.choice(panels)


def erase(match: Match, board: str) -> int:
    """Return any owned panel."""
    return random.choice(owned(board))


play(bid, pick, erase)
