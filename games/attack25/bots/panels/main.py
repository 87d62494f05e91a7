"""panels: takes the panel that turns over most, and spends its chips evenly over the match."""

from attack25 import Match, flips, owned, play


def bid(match: Match) -> int:
    """Return three times the even share of the chips for each round left, as rivals win three rounds of four."""
    return min(match.my_chips, 3 * match.my_chips // match.rounds_left)


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel whose take turns over most panels."""
    return max(panels, key=lambda panel: len(flips(match.board, match.colour, panel)))


def erase(match: Match, board: str) -> int:
    """Return a panel of the leading rival, preferably one whose later take turns over many panels."""
    leader = max(match.rivals, key=board.count)
    theirs = [panel for panel in owned(board) if board[panel] == leader]
    return max(theirs or owned(board), key=lambda panel: len(flips(board, match.colour, panel)))


play(bid, pick, erase)
