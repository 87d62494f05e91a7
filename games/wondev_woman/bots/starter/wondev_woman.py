"""Talks to the referee of Wondev Woman, so that a bot only has to decide. Copy it beside your ``main.py``.

A whole bot::

    from wondev_woman import View, play

    def decide(view: View) -> str:
        return view.actions[0]    # one of the legal actions

    play(decide)

A cell is ``(x, y)``; ``(0, 0)`` is the top left one. For bots that look ahead there are two modules more:
``position`` knows the rules, ``fog`` where hidden units may be.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

Cell = tuple[int, int]

FIRST_SECONDS, SECONDS = 0.3, 0.04
"""CPU time to use for the first answer and for each further one: at most four fifths of the limits, 1 s and 0.05 s."""


@dataclass
class View:
    """All that a bot may know in a turn."""

    size: int
    rows: list[str]
    """rows[y][x]: ``.`` no cell, ``0`` to ``3`` its height, ``4`` closed for ever."""
    mine: list[Cell]
    foes: list[Cell | None]
    """The cells of the enemy's units; None: hidden."""
    actions: list[str]
    """The legal actions, at least one when ``decide`` is called."""
    deadline: float
    """When to answer at the latest, on the clock ``time.process_time``."""
    nodes: int = 0
    """Number of positions evaluated so far."""

    def time_is_up(self) -> bool:
        """Return whether it is time to answer, by the clock."""
        return process_time() >= self.deadline

    def enough(self, nodes: int) -> bool:
        """Count a node of a search; return whether to answer now, after more than ``nodes`` of them or by the clock.

        A search that ends by its count ends the same way on every machine, so that a match can be played again.
        """
        self.nodes += 1
        return self.nodes > nodes or self.time_is_up()


def play(decide: Callable[[View], str]) -> None:
    """Play a match: ``decide`` gets the view each turn and returns one of its actions."""
    size, units = int(input()), int(input())
    seconds = FIRST_SECONDS
    for turn, row in enumerate(iter(sys.stdin.readline, "")):  # until the match has ended
        view = _read_turn(row.strip(), size, units, process_time() + seconds)
        if turn == 0:
            random.seed(f"{view.rows} {view.mine}")  # the same match is played the same way again
        print(decide(view) if view.actions else "ACCEPT-DEFEAT", flush=True)
        seconds = SECONDS


def _read_turn(first_row: str, size: int, units: int, deadline: float) -> View:
    rows = [first_row] + [input() for _ in range(size - 1)]
    mine = [_cell() for _ in range(units)]
    foes = [_cell() for _ in range(units)]
    actions = [input() for _ in range(int(input()))]
    return View(size, rows, mine, [None if foe == (-1, -1) else foe for foe in foes], actions, deadline)


def _cell() -> Cell:
    x, y = map(int, input().split())
    return x, y
