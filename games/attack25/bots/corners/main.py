"""corners: values panels by their position, as in Reversi, and bids for good ones.

A corner can never be turned over, a panel at the edge only along the edge; a panel next to an empty corner helps others
to take the corner.
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
"""The worth of each panel."""
WORTHY = 4
"""In the first half of the match the bot does not bid for takes that gain less than this."""


def worth(board: str, colour: str) -> int:
    """Return the worth of a colour's panels."""
    return sum(WORTH[panel] for panel in owned(board) if board[panel] == colour)


def gain(match: Match, panel: int) -> int:
    """Return how much the worth of the bot's panels grows by a take."""
    return worth(take(match.board, match.colour, panel), match.colour) - worth(match.board, match.colour)


def bid(match: Match) -> int:
    """Return a bid, which grows with the greatest possible gain."""
    best = max(gain(match, panel) for panel in legal(match.board, match.colour))
    if best < WORTHY and match.rounds_left > 13:
        return 0
    return min(match.my_chips, match.my_chips * best // (2 * match.rounds_left))


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel with the greatest gain."""
    return max(panels, key=lambda panel: gain(match, panel))


def erase(match: Match, board: str) -> int:
    """Return the most valuable panel of the leading rival."""
    leader = max(match.rivals, key=lambda rival: worth(board, rival))
    theirs = [panel for panel in owned(board) if board[panel] == leader]
    return max(theirs or owned(board), key=WORTH.__getitem__)


play(bid, pick, erase)
