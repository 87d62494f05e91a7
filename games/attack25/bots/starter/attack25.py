"""Talks to the referee of Attack 25 and knows its rules, so that a bot only has to decide.

Copy it beside your ``main.py``.

A whole bot::

    from attack25 import Match, play

    def bid(match: Match) -> int:
        return min(4, match.my_chips)

    def pick(match: Match, panels: list[int]) -> int:
        return panels[0]    # one of those you may take

    def erase(match: Match, board: str) -> int:
        return board.index(match.rivals[0]) if match.rivals[0] in board else board.index(match.colour)

    play(bid, pick, erase)

A board is a text of 26 characters: ``board[13]`` is the owner of panel 13, a colour or ``EMPTY``.
Boards never change, ``take`` and ``emptied`` return new ones.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

COLOURS = "RGWB"
EMPTY = "."
PANELS = range(1, 26)
TAKES = 26
"""Rounds of a match: one for each of the 25 panels, and one for the panel that is emptied in the Attack Chance."""
CHANCE = 21
"""The round of the Attack Chance."""


def _rays(panel: int) -> list[list[int]]:
    """Return the panels that lie in each of the eight directions, the nearest first."""
    y, x = divmod(panel - 1, 5)
    ways = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    steps = [[(y + i * dy, x + i * dx) for i in range(1, 5)] for dy, dx in ways]
    rays = [[5 * v + u + 1 for v, u in line if 0 <= v < 5 and 0 <= u < 5] for line in steps]
    return [ray for ray in rays if ray]


RAYS = [[], *map(_rays, PANELS)]
"""RAYS[panel]: the panels in each direction, the nearest first; directions that lead off the board are missing."""


@dataclass
class Match:
    """All that a bot may know of the match."""

    colour: str
    """Your colour: R, G, W or B."""
    mode: str
    """``bid``, or ``order`` where rounds are won in turn."""
    round: int = 0
    """Number of the round, from 1."""
    chance: bool = False
    """Whether this round is the Attack Chance: its winner takes a panel and empties one."""
    board: str = ""
    chips: dict[str, int] = field(default_factory=dict)
    """Chips of each colour that plays."""
    order: list[str] = field(default_factory=list)
    """Colours in the order in which they win ties."""
    taken: int = 0
    """The panel of the last round, 0 in the first one."""
    taker: str = "-"
    bids: dict[str, int] = field(default_factory=dict)
    """Bids of the last round, by colour."""

    @property
    def my_chips(self) -> int:
        """Your chips: the most that you can bid."""
        return self.chips[self.colour]

    @property
    def rivals(self) -> list[str]:
        """The other colours."""
        return [colour for colour in self.chips if colour != self.colour]

    @property
    def rounds_left(self) -> int:
        """Number of rounds left, this one included."""
        return TAKES + 1 - self.round


def flips(board: str, colour: str, panel: int) -> list[int]:
    """Return the panels that turn over when a colour takes an empty panel."""
    found: list[int] = []
    for ray in RAYS[panel]:
        for length, at in enumerate(ray):
            if board[at] == EMPTY:
                break
            if board[at] == colour:
                found += ray[:length]
                break
    return found


def legal(board: str, colour: str) -> list[int]:
    """Return the panels that a colour may take."""
    empty = [panel for panel in PANELS if board[panel] == EMPTY]
    if len(empty) == len(PANELS):
        return [13]
    turning = [panel for panel in empty if flips(board, colour, panel)]
    preparing = turning or [panel for panel in empty if prepares(board, colour, panel)]
    return preparing or [panel for panel in empty if any(board[ray[0]] != EMPTY for ray in RAYS[panel])]


def prepares(board: str, colour: str, panel: int) -> bool:
    """Return whether after taking an empty panel the colour could turn panels over with its next take."""
    for ray in RAYS[panel]:
        if board[ray[0]] in (EMPTY, colour):
            continue
        behind = next((board[at] for at in ray if board[at] in (EMPTY, colour)), colour)
        if behind == EMPTY:
            return True
    return False


def take(board: str, colour: str, panel: int) -> str:
    """Return the board after a colour has taken a panel."""
    panels = list(board)
    for at in (panel, *flips(board, colour, panel)):
        panels[at] = colour
    return "".join(panels)


def emptied(board: str, panel: int) -> str:
    """Return the board after a panel has been made empty."""
    return board[:panel] + EMPTY + board[panel + 1 :]


def owned(board: str) -> list[int]:
    """Return the panels that have an owner."""
    return [panel for panel in PANELS if board[panel] != EMPTY]


def play(
    bid: Callable[[Match], int],
    pick: Callable[[Match, list[int]], int],
    erase: Callable[[Match, str], int],
) -> None:
    """Play a match.

    Args:
        bid: returns your bid for this round, 0 to ``match.my_chips``.
        pick: returns the panel that you take after winning a round, one of those given.
        erase: returns the owned panel that you empty in the Attack Chance, given the board after your take.
    """
    colour, _, mode = input().split()
    match = Match(colour, mode)
    while question := sys.stdin.readline().split():
        if question[0] == "BID":
            _read_round(match, question)
            random.seed(repr(match))  # the same match is played the same way again
            if mode == "bid":
                print(bid(match), flush=True)
        else:  # PICK round chance class panels
            panel = pick(match, [int(number) for number in question[4].split(",")])
            erased = [erase(match, take(match.board, colour, panel))] if match.chance else []
            print(panel, *erased, flush=True)


def _read_round(match: Match, heading: list[str]) -> None:
    match.round, match.chance = int(heading[1]), heading[2] == "1"
    match.board = "#" + "".join(input() for _ in range(5))
    match.chips = _by_colour(input().split())
    match.order = input().split()
    panel, match.taker, *bids = input().split()
    match.taken, match.bids = int(panel), _by_colour(bids[: len(match.chips)])  # the panel emptied may follow


def _by_colour(numbers: list[str]) -> dict[str, int]:
    """Return the numbers by colour; with fewer than four players the last colours are missing."""
    return {colour: int(number) for colour, number in zip(COLOURS, numbers, strict=False)}
