"""bidder: values each choice by a search over who may win the next rounds, and bids by what this round is worth to it.

Nobody knows who wins the next round, so the search takes the mean over all colours; rivals are taken to be greedy. It
looks one round further each time until it has looked at enough.
"""

import time

from attack25 import EMPTY, PANELS, Match, emptied, legal, owned, play, take

NODES = 400
"""Boards to look at for a decision."""
SECONDS = 0.08
"""CPU time for it, of the 0.1 that it may take; ends it only where a machine is slow."""
DEPTH_MAX = 6
POSITION = [0, *(6, 1, 3, 1, 6), *(1, 1, 2, 1, 1), *(3, 2, 2, 2, 3), *(1, 1, 2, 1, 1), *(6, 1, 3, 1, 6)]
"""What a panel is worth while many are empty: hardest to turn over are the corners, then the edges."""
ROUNDS = [0, 0, 0, 29, 9, 12, 6, 6, 5, 4, 4, 5, 4, 3, 4, 4, 6, 6, 6, 6, 7, 21, 19, 18, 18, 19, 22]
"""How many tenths of a panel more the winner of each round had at the end, in thousands of matches of simple bots."""
EAGERNESS = 2.5
"""How much more than its even share of the chips a round may cost: others win rounds, too, and pay for them."""
NEED_USUAL = 5.0
"""What is usually at stake in a round, as ``need`` tells it."""


class Search:
    """The worth of boards to a colour, searched as deep as it may look."""

    def __init__(self, match: Match) -> None:
        self.nodes, self.end = NODES, time.process_time() + SECONDS
        self.me, self.colours = match.colour, list(match.chips)

    def deepened(self, boards: list[str]) -> list[float]:
        """Return the worth of boards, all of them searched equally deep."""
        found = [worth(board, self.me) for board in boards]
        for depth in range(1, DEPTH_MAX):
            try:
                found = [self.expected(board, depth) for board in boards]
            except TimeoutError:
                break
        return found

    def expected(self, board: str, depth: int) -> float:
        """Return a board's worth, the mean over who wins each of the next rounds."""
        if depth == 0 or EMPTY not in board:
            return worth(board, self.me)
        self.nodes -= 1
        if self.nodes < 0 or time.process_time() > self.end:
            raise TimeoutError
        total = 0.0
        for colour in self.colours:
            total += self.expected(greedy(board, colour), depth - 1)
        return total / len(self.colours)


def worth(board: str, colour: str) -> float:
    """Return how much more a colour has than a third of what others have; late in the match panels are all alike."""
    empty = board.count(EMPTY)
    total = own = 0
    for panel in PANELS:
        if board[panel] != EMPTY:
            value = 25 + (POSITION[panel] - 1) * empty
            total += value
            if board[panel] == colour:
                own += value
    return (own - (total - own) / 3) / 25


def greedy(board: str, colour: str) -> str:
    """Return the board after a colour has taken the panel that is best for it at once."""
    return max((take(board, colour, panel) for panel in legal(board, colour)), key=lambda after: worth(after, colour))


def need(match: Match) -> float:
    """Return how much better it is to win this round than to leave it to the others."""
    search = Search(match)
    mine, *theirs = search.deepened([greedy(match.board, colour) for colour in (match.colour, *match.rivals)])
    return mine - sum(theirs) / len(theirs)


def bid(match: Match) -> int:
    """Bid a share of the chips that grows with the round and with the need."""
    share = ROUNDS[match.round] / sum(ROUNDS[match.round :])
    wanted = match.my_chips * share * EAGERNESS * max(need(match), 0.0) / NEED_USUAL
    richest = max(match.chips[rival] for rival in match.rivals)
    return round(min(wanted, match.my_chips, richest + 1))


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel after which it stands best."""
    values = Search(match).deepened([take(match.board, match.colour, panel) for panel in panels])
    return panels[values.index(max(values))]


def erase(match: Match, board: str) -> int:
    """Return the panel without which it stands best."""
    panels = owned(board)
    values = Search(match).deepened([emptied(board, panel) for panel in panels])
    return panels[values.index(max(values))]


play(bid, pick, erase)
