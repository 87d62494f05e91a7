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

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

Cell = tuple[int, int]

FIRST_SECONDS, SECONDS = 0.3, 0.02
"""CPU time to use for the first answer and for each further one, well below the limits of 1 s and 0.05 s."""


@dataclass
class View:
    """All you may know this turn."""

    size: int
    rows: list[str]
    """rows[y][x]: ``.`` no cell, ``0`` to ``3`` its height, ``4`` closed for ever."""
    mine: list[Cell]
    foes: list[Cell | None]
    """None: hidden."""
    actions: list[str]
    """The legal ones; never empty when ``decide`` is asked."""
    deadline: float
    """When to answer, on the clock ``time.process_time``."""

    def time_is_up(self) -> bool:
        """Say whether it is time to answer."""
        return process_time() >= self.deadline


def play(decide: Callable[[View], str]) -> None:
    """Play a match: ``decide`` gets the view each turn and returns one of its actions."""
    size, units = int(input()), int(input())
    seconds = FIRST_SECONDS
    for row in iter(sys.stdin.readline, ""):  # until the match has ended
        view = _read_turn(row.strip(), size, units, process_time() + seconds)
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
