"""saver: leaves the first panels to the others, and saves its chips for the Attack Chance and the rounds after it.

A panel that is won late is rarely lost again. Like ``panels``, it takes the panel that turns over most.
"""

from attack25 import CHANCE, Match, flips, owned, play

WAITING = CHANCE - 4
"""The first round in which it bids."""


def bid(match: Match) -> int:
    """Return 0 at first, then a good part of the chips, and all of them in the last round."""
    if match.round < WAITING:
        return 0
    richest = max(match.chips[rival] for rival in match.rivals)
    share = match.my_chips if match.rounds_left == 1 else 2 * match.my_chips // (match.rounds_left + 1)
    # No bid need be higher than the richest rival can outbid.
    return min(share, richest + 1)


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel whose take turns over most panels."""
    return max(panels, key=lambda panel: len(flips(match.board, match.colour, panel)))


def erase(match: Match, board: str) -> int:
    """Return a panel of the leading rival, preferably one whose later take turns over many panels."""
    leader = max(match.rivals, key=board.count)
    theirs = [panel for panel in owned(board) if board[panel] == leader]
    return max(theirs or owned(board), key=lambda panel: len(flips(board, match.colour, panel)))


play(bid, pick, erase)
