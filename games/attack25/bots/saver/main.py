"""saver: lets the others fight over the first panels; its chips are for the Attack Chance and the rounds after it.

A panel that is won late is rarely lost again. It takes what turns over most, as ``panels`` does.
"""

from attack25 import CHANCE, Match, flips, owned, play

WAITING = CHANCE - 4
"""Before this round it does not bid."""


def bid(match: Match) -> int:
    """Return nothing, then a good part of the chips, and all of them in the last round."""
    if match.round < WAITING:
        return 0
    richest = max(match.chips[rival] for rival in match.rivals)
    share = match.my_chips if match.rounds_left == 1 else 2 * match.my_chips // (match.rounds_left + 1)
    # Who has more chips than all others need not bid more than they can.
    return min(share, richest + 1)


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel that turns over most."""
    return max(panels, key=lambda panel: len(flips(match.board, match.colour, panel)))


def erase(match: Match, board: str) -> int:
    """Empty a panel of whoever leads."""
    leader = max(match.rivals, key=board.count)
    theirs = [panel for panel in owned(board) if board[panel] == leader]
    return max(theirs or owned(board), key=lambda panel: len(flips(board, match.colour, panel)))


play(bid, pick, erase)
