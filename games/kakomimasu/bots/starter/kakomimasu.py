"""Talks to the referee of Kakomimasu, so that a bot only has to decide. Copy it beside your ``main.py``.

A whole bot::

    from kakomimasu import Board, play

    def decide(board: Board) -> list[str]:
        return ["NONE"] * board.agents    # one order for each of your agents

    play(decide)

Orders: ``PUT x y`` (an agent that is not on the board yet), ``MOVE x y`` and ``REMOVE x y`` (one of the eight
neighbours of its cell), ``NONE``. A cell is ``(x, y)``; ``(0, 0)`` is the top left one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

Cell = tuple[int, int]

DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Up, then clockwise."""
SUCCESS = "0"
"""The one result code of an order that was carried out."""


@dataclass
class Board:
    """All that a bot may know: the constants of the match, and the state of this turn."""

    seat: int
    """Number of your seat, from 0."""
    players: int
    width: int
    height: int
    agents: int
    """Number of agents of each player."""
    turns: int
    """Number of turns of the whole match."""
    points: list[list[int]] = field(default_factory=list)
    """points[y][x]"""
    turn: int = 0
    """Number of the turn, from 1."""
    scores: list[list[int]] = field(default_factory=list)
    """[points of walls, points of areas] of each player."""
    tiles: list[str] = field(default_factory=list)
    """tiles[y][x]: ``.`` neutral, ``A`` a wall of seat 0, ``a`` an area of seat 0, ``B`` a wall of seat 1, .."""
    positions: list[list[Cell | None]] = field(default_factory=list)
    """Where the agents of each player stand; None: not on the board yet."""
    results: list[str] = field(default_factory=list)
    """Result codes of your last orders; empty on turn 1."""

    @property
    def mine(self) -> list[Cell | None]:
        """Where your agents stand."""
        return self.positions[self.seat]

    def value(self, cell: Cell) -> int:
        """Return the points of a cell."""
        return self.points[cell[1]][cell[0]]

    def owner(self, cell: Cell) -> int | None:
        """Return the seat of a cell's owner, or None."""
        tile = self.tiles[cell[1]][cell[0]]
        return None if tile == "." else ord(tile.upper()) - ord("A")

    def is_wall(self, cell: Cell) -> bool:
        """Return whether a cell is a wall of any player."""
        return self.tiles[cell[1]][cell[0]].isupper()

    def is_foreign_wall(self, cell: Cell) -> bool:
        """Return whether a cell is a wall of another player, which must be removed before you can move there."""
        return self.is_wall(cell) and self.owner(cell) != self.seat

    def cells(self) -> list[Cell]:
        """Return all cells, row by row."""
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the up to eight cells round a cell, the upper one first, then clockwise."""
        around = [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS]
        return [(x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height]


def order(verb: str, cell: Cell) -> str:
    """Return an order, such as ``order("MOVE", (3, 4))``."""
    return f"{verb} {cell[0]} {cell[1]}"


def play(decide: Callable[[Board], list[str]]) -> None:
    """Play a match: ``decide`` gets the board each turn and returns one order for each of your agents."""
    board = Board(*_numbers())
    board.points = [_numbers() for _ in range(board.height)]
    random.seed(repr(board))  # the same match is played the same way again
    for _ in range(board.turns):
        _read_turn(board)
        print("\n".join(decide(board)), flush=True)


def _read_turn(board: Board) -> None:
    (board.turn,) = _numbers()
    board.scores = [_numbers() for _ in range(board.players)]
    board.tiles = [input() for _ in range(board.height)]
    board.positions = [[_cell() for _ in range(board.agents)] for _ in range(board.players)]
    codes = input()
    board.results = [] if codes == "-" else codes.split()


def _cell() -> Cell | None:
    x, y = _numbers()
    return None if x < 0 else (x, y)


def _numbers() -> list[int]:
    return [int(word) for word in input().split()]
