"""corners: counts panels by where they lie, as who plays reversi does, and bids for good ones.

A corner can never be turned over, a panel at the edge only along the edge; those next to an empty corner give it away.
"""

from attack25 import Match, legal, owned, play, take

WORTH = [
    0,
    *(6, 1, 3, 1, 6),
    *(1, 1, 2, 1, 1),
    *(3, 2, 2, 2, 3),
    *(1, 1, 2, 1, 1),
    *(6, 1, 3, 1, 6),
]
"""Of each panel."""
WORTHY = 4
"""A take that gains less than this is left to others in the first half of the match."""


def worth(board: str, colour: str) -> int:
    """Return what a colour's panels are worth."""
    return sum(WORTH[panel] for panel in owned(board) if board[panel] == colour)


def gain(match: Match, panel: int) -> int:
    """Return how much more the own panels are worth after a take."""
    return worth(take(match.board, match.colour, panel), match.colour) - worth(match.board, match.colour)


def bid(match: Match) -> int:
    """Bid the more, the more there is to be gained."""
    best = max(gain(match, panel) for panel in legal(match.board, match.colour))
    if best < WORTHY and match.rounds_left > 13:
        return 0
    return min(match.my_chips, match.my_chips * best // (2 * match.rounds_left))


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel with the greatest gain."""
    return max(panels, key=lambda panel: gain(match, panel))


def erase(match: Match, board: str) -> int:
    """Empty the best panel of whoever leads."""
    leader = max(match.rivals, key=lambda rival: worth(board, rival))
    theirs = [panel for panel in owned(board) if board[panel] == leader]
    return max(theirs or owned(board), key=WORTH.__getitem__)


play(bid, pick, erase)
