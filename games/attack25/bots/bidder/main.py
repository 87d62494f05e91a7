"""bidder: values each choice by a search over the winners of the next rounds, and bids what this round is worth to it.

The winner of a round is not known in advance, so the search takes the mean over all colours; it assumes that rivals are
greedy. It searches one round deeper each time, until it has looked at ``NODES`` boards.
"""

import time

from attack25 import EMPTY, PANELS, Match, emptied, legal, owned, play, take

NODES = 400
"""Number of boards to look at for a decision."""
SECONDS = 0.08
"""CPU time for a decision, of the 0.1 allowed; it ends a search only on a slow machine."""
DEPTH_MAX = 6
POSITION = [0, *(6, 1, 3, 1, 6), *(1, 1, 2, 1, 1), *(3, 2, 2, 2, 3), *(1, 1, 2, 1, 1), *(6, 1, 3, 1, 6)]
"""The worth of each panel while many are empty: corners are hardest to turn over, then edges."""
ROUNDS = [0, 0, 0, 29, 9, 12, 6, 6, 5, 4, 4, 5, 4, 3, 4, 4, 6, 6, 6, 6, 7, 21, 19, 18, 18, 19, 22]
"""By round: how many tenths of a panel more its winner had at the end, over thousands of matches of simple bots."""
EAGERNESS = 2.5
"""A round may cost this many times its even share of the chips, because others win and pay rounds, too."""
NEED_USUAL = 5.0
"""The usual value of ``need``."""


class Search:
    """A search for the worth of boards to the bot's colour."""

    def __init__(self, match: Match) -> None:
        self.nodes, self.end = NODES, time.process_time() + SECONDS
        self.me, self.colours = match.colour, list(match.chips)

    def deepened(self, boards: list[str]) -> list[float]:
        """Return the worth of boards, all of them searched to the same depth."""
        found = [worth(board, self.me) for board in boards]
        for depth in range(1, DEPTH_MAX):
            try:
                found = [self.expected(board, depth) for board in boards]
            except TimeoutError:
                break
        return found

    def expected(self, board: str, depth: int) -> float:
        """Return the mean worth of a board over the possible winners of the next ``depth`` rounds."""
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
    """Return the worth of a colour's panels less a third of the others'; late in the match all panels count alike."""
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
    """Return the board after a colour has taken the panel with the greatest immediate worth."""
    return max((take(board, colour, panel) for panel in legal(board, colour)), key=lambda after: worth(after, colour))


def need(match: Match) -> float:
    """Return how much more winning this round is worth than the mean over the other winners."""
    search = Search(match)
    mine, *theirs = search.deepened([greedy(match.board, colour) for colour in (match.colour, *match.rivals)])
    return mine - sum(theirs) / len(theirs)


def bid(match: Match) -> int:
    """Return a bid: a share of the chips that grows with the round and with ``need``."""
    share = ROUNDS[match.round] / sum(ROUNDS[match.round :])
    wanted = match.my_chips * share * EAGERNESS * max(need(match), 0.0) / NEED_USUAL
    richest = max(match.chips[rival] for rival in match.rivals)
    return round(min(wanted, match.my_chips, richest + 1))


def pick(match: Match, panels: list[int]) -> int:
    """Return the panel whose take leads to the board of the greatest worth."""
    values = Search(match).deepened([take(match.board, match.colour, panel) for panel in panels])
    return panels[values.index(max(values))]


def erase(match: Match, board: str) -> int:
    """Return the panel whose emptying leads to the board of the greatest worth."""
    panels = owned(board)
    values = Search(match).deepened([emptied(board, panel) for panel in panels])
    return panels[values.index(max(values))]


play(bid, pick, erase)
