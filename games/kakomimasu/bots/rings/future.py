"""Simulates the ways of all agents together, and returns the points won by cells and by areas enclosed on the way.

A set of cells is an integer with a bit for each cell: cell (x, y) is bit ``(y + 1) * stride + x + 1``. A shift moves
the whole set, and cells that are shifted over a rim end outside the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from kakomimasu import Board, Cell

LATER = 0.8
"""Factor for points that are won one turn later, because others may interfere meanwhile."""

Cells = int
Way = tuple[Cell, ...]
"""The cells that an agent goes to, in order."""


class Future:
    """Simulates turns from a board, in which the agents of others stand still; nested rings count as one."""

    def __init__(self, board: Board, extra: Mapping[Cell, float]) -> None:
        """Read a board; ``extra``: the worth of cells beside the points that they give at once."""
        self.stride = board.width + 2
        self.bits = {(x, y): 1 << (y + 1) * self.stride + x + 1 for x, y in board.cells()}
        self.value = {self.bits[cell]: board.value(cell) for cell in board.cells()}
        self.extra = {self.bits[cell]: worth for cell, worth in extra.items()}
        self.board = sum(self.bits.values())
        self.outside = (1 << self.stride * (board.height + 2)) - 1 ^ self.board
        mine = [cell for cell in board.cells() if board.owner(cell) == board.seat]
        theirs = [cell for cell in board.cells() if board.owner(cell) not in (None, board.seat)]
        self.walls, self.area = self._split(board, mine)
        self.their_walls, self.their_area = self._split(board, theirs)
        self.inside = cache(self._inside)

    def _split(self, board: Board, cells: list[Cell]) -> tuple[Cells, Cells]:
        walls = sum(self.bits[cell] for cell in cells if board.is_wall(cell))
        return walls, sum(self.bits[cell] for cell in cells) ^ walls

    def _inside(self, walls: Cells) -> Cells:
        """Return the cells that walls separate from the outside of the board; floods pass diagonal gaps."""
        reached, grown = 0, self.outside
        while grown != reached:
            reached = grown
            row = reached | reached << 1 | reached >> 1
            grown = (row | row << self.stride | row >> self.stride) & (self.board | self.outside) & ~walls
        return self.board & ~reached & ~walls

    def brings(self, ways: Sequence[Way], turns: int) -> float:
        """Return the worth of the ways of all agents within some turns; later gains count less."""
        play = _Play(self)
        steps = [0] * len(ways)
        total = 0.0
        for turn in range(turns):
            gain = 0.0
            for agent, way in enumerate(ways):
                if steps[agent] < len(way):
                    cell = self.bits[way[steps[agent]]]
                    steps[agent] += not play.their_walls & cell  # such a wall is removed first
                    gain += play.step(cell)
            total += LATER**turn * (gain + play.enclose())
        return total


class _Play:
    """The board during a simulation."""

    def __init__(self, future: Future) -> None:
        self.future = future
        self.walls, self.area = future.walls, future.area
        self.their_walls, self.their_area = future.their_walls, future.their_area

    def step(self, cell: Cells) -> float:
        """Go to a cell, or remove the wall of another player there; return the gain."""
        if self.walls & cell:
            return 0.0
        value = self.future.value[cell]
        if self.their_walls & cell:
            self.their_walls ^= cell
            return value + self.future.extra[cell]
        lost = abs(value) if self.area & cell else -abs(value) if self.their_area & cell else 0
        self.walls, self.area, self.their_area = self.walls | cell, self.area & ~cell, self.their_area & ~cell
        return value - lost + self.future.extra[cell]

    def enclose(self) -> float:
        """Take over all cells inside the bot's walls; return the gain."""
        won = self.future.inside(self.walls) & ~self.their_walls & ~self.area
        gain, rest = 0, won
        while rest:
            cell = rest & -rest
            rest ^= cell
            gain += abs(self.future.value[cell]) * (2 if self.their_area & cell else 1)
        self.area, self.their_area = self.area | won, self.their_area & ~won
        return gain
