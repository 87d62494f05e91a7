"""panels: takes the panel that turns over most, and spends its chips evenly over the match."""

from attack25 import Match, flips, owned, play


def bid(match: Match) -> int:
    """Bid what there is for each round left, and three times that, as three rounds of four go to others."""
    return min(match.my_chips, 3 * match.my_chips // match.rounds_left)


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel that turns over most."""
    return max(panels, key=lambda panel: len(flips(match.board, match.colour, panel)))


def erase(match: Match, board: str) -> int:
    """Empty a panel of whoever leads; best one that can be won back by turning others over."""
    leader = max(match.rivals, key=board.count)
    theirs = [panel for panel in owned(board) if board[panel] == leader]
    return max(theirs or owned(board), key=lambda panel: len(flips(board, match.colour, panel)))


play(bid, pick, erase)
