"""Talks to the referee of Back to the Code, so that a bot only has to decide. Copy it beside your ``main.py``.

A whole bot::

    from back_to_the_code import View, play

    def decide(view: View) -> str:
        x, y = view.me.cell
        return f"{(x + 1) % 35} {y}"    # a cell to go towards; or f"BACK {rounds}", once

    play(decide)

A cell is ``(x, y)``; ``(0, 0)`` is the top left one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

Cell = tuple[int, int]

WIDTH, HEIGHT = 35, 20
ROUNDS = {2: 350, 3: 300, 4: 250}
"""Number of rounds of a match, by number of players."""
FIRST_SECONDS, SECONDS = 0.3, 0.08
"""CPU time to use for the first answer and for each further one: at most four fifths of the limits, 1 s and 0.1 s."""
NEUTRAL, OWN = ".", "0"


@dataclass
class Player:
    """A player's cell, (-1, -1) if it is out of the match, and whether it may still go BACK."""

    cell: Cell
    has_back: bool


@dataclass
class View:
    """All that a bot may know in a round."""

    round: int
    """Number of the round, from 1; it is lower after a BACK of any player."""
    players: list[Player]
    """You first, then the others in the order of their numbers."""
    rows: list[str]
    """rows[y][x]: ``.`` neutral, ``0`` yours, else the number of its owner."""
    deadline: float
    """When to answer at the latest, on the clock ``time.process_time``."""
    nodes: int = 0
    """Number of calls of ``enough`` so far."""

    @property
    def me(self) -> Player:
        """You."""
        return self.players[0]

    def owner(self, cell: Cell) -> str:
        """Return the character of a cell in ``rows``."""
        return self.rows[cell[1]][cell[0]]

    def time_is_up(self) -> bool:
        """Return whether it is time to answer, by the clock."""
        return process_time() >= self.deadline

    def enough(self, nodes: int) -> bool:
        """Count a node of a search; return whether to answer now, after more than ``nodes`` of them or by the clock.

        A search that ends by its count ends the same way on every machine, so that a match can be played again.
        """
        self.nodes += 1
        return self.nodes > nodes or self.time_is_up()


def neighbours(cell: Cell) -> list[Cell]:
    """Return the up to four cells beside a cell: up, right, down, left."""
    x, y = cell
    around = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    return [(u, v) for u, v in around if 0 <= u < WIDTH and 0 <= v < HEIGHT]


def order(cell: Cell) -> str:
    """Return the order to go towards a cell."""
    return f"{cell[0]} {cell[1]}"


def play(decide: Callable[[View], str]) -> None:
    """Play a match: ``decide`` gets the view each round and returns an order."""
    players = 1 + int(input())
    seconds = FIRST_SECONDS
    for turn, line in enumerate(iter(sys.stdin.readline, "")):  # until the match has ended
        view = _read_round(int(line), players, process_time() + seconds)
        if turn == 0:
            random.seed(repr(view.players))  # the same match is played the same way again
        print(decide(view), flush=True)
        seconds = SECONDS


def _read_round(number: int, players: int, deadline: float) -> View:
    return View(number, [_player() for _ in range(players)], [input() for _ in range(HEIGHT)], deadline)


def _player() -> Player:
    x, y, back = map(int, input().split())
    return Player((x, y), back == 1)
