"""Talks to the referee of Tron, so that a bot only has to decide. Copy it beside your ``main.py``.

A whole bot::

    from tron import View, play

    def decide(view: View) -> str:
        return view.moves[0]

    play(decide)

A cell is ``(x, y)``; ``(0, 0)`` is the top left one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

Cell = tuple[int, int]

STEPS = {"UP": (0, -1), "RIGHT": (1, 0), "DOWN": (0, 1), "LEFT": (-1, 0)}
"""What each direction adds to x and y."""


@dataclass
class View:
    """What a bot knows in a turn."""

    seat: int
    width: int
    height: int
    turn: int
    heads: list[Cell | None]
    """The cell of each seat; None: it rides no more."""
    rows: list[str]
    """rows[y][x]: ``.`` is free, ``0`` to ``3`` the trail of a seat."""
    moves: list[str]
    """The directions that do not crash at once, or all four if all do."""

    @property
    def me(self) -> Cell:
        """The bot's own cell."""
        cell = self.heads[self.seat]
        assert cell is not None, "only seats that ride are asked"
        return cell

    def is_free(self, cell: Cell) -> bool:
        """Return whether a cell is on the grid and holds no trail."""
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height and self.rows[y][x] == "."


def step(cell: Cell, move: str) -> Cell:
    """Return the next cell in a direction."""
    dx, dy = STEPS[move]
    return cell[0] + dx, cell[1] + dy


def play(decide: Callable[[View], str]) -> None:
    """Play a match: ``decide`` gets the view each turn and returns a direction."""
    seat, players, width, height = map(int, input().split())
    for line in iter(sys.stdin.readline, ""):  # until the match has ended
        heads = [_cell(input()) for _ in range(players)]
        rows = [input() for _ in range(height)]
        moves = [input() for _ in range(int(input()))]
        view = View(seat, width, height, int(line), heads, rows, moves)
        if view.turn == 1:
            random.seed(f"{seat} {heads}")  # the same match is played the same way again
        print(decide(view), flush=True)


def _cell(line: str) -> Cell | None:
    x, y = map(int, line.split())
    return (x, y) if x >= 0 else None
