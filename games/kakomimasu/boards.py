"""Boards: generated from a seed, published by contests, or given as the content of a file."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import BadOptions
from core.seeding import between, draws

SIDE_MIN, SIDE_MAX = 10, 24
"""Limits of the width and the height of generated boards, which are drawn separately."""
POINTS_MAX = 16
"""Cells of generated boards are worth -16 to 16 points."""
AGENTS_MIN, AGENTS_MAX = 4, 8
TURNS_MIN, TURNS_MAX = 30, 60

CELLS_LIMIT = 10_000
"""The most cells of a user's board: numbers of cells have 16 bits."""
POINTS_LIMIT = 10_000
"""The greatest absolute value of a cell of a user's board: points have 16 bits, too."""
AGENTS_LIMIT = 100
TURNS_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Board:
    """A board before the match."""

    points: NDArray[np.int16]
    """(height, width)"""
    agents: int
    """Agents of each seat."""
    turns: int


class BoardFile(msgspec.Struct, frozen=True, rename="camel"):
    """A board file of the original server; further fields of such files are ignored."""

    width: int
    height: int
    points: list[int]
    """The points of all cells, row by row."""
    n_agent: int = 4
    total_turn: int = 30

    def board(self) -> Board:
        """Return the board of the file.

        Raises:
            BadOptions: the sizes do not fit together, or a number is too large.
        """
        checks = {
            "width and height must be at least 1": self.width < 1 or self.height < 1,
            f"a board may have {CELLS_LIMIT} cells at most": self.width * self.height > CELLS_LIMIT,
            f"points must have {self.width} x {self.height} numbers": len(self.points) != self.width * self.height,
            f"points must lie between -{POINTS_LIMIT} and {POINTS_LIMIT}": any(
                abs(value) > POINTS_LIMIT for value in self.points
            ),
        }
        for rule, broken in checks.items():
            if broken:
                raise BadOptions(f"This is no board: {rule}.")
        points = np.array(self.points, np.int16).reshape(self.height, self.width)
        return Board(points, self.n_agent, self.total_turn)


def generate(seed: int) -> Board:
    """Return the board that is generated from a seed: the same on every machine and in every release.

    It is mirrored on both axes, so that no seat has the better half. If you change this, also change
    ``rules_version``.

    Args:
        seed: 0 <= seed < 2**64.
    """
    header = draws(seed, 0, 4)
    width, height = between(header[:2], SIDE_MIN, SIDE_MAX).tolist()
    agents = int(between(header[2:3], AGENTS_MIN, AGENTS_MAX)[0])
    turns = int(between(header[3:4], TURNS_MIN, TURNS_MAX)[0])
    quarter = (height + 1) // 2, (width + 1) // 2
    values = between(draws(seed, 4, quarter[0] * quarter[1]), -POINTS_MAX, POINTS_MAX)
    return Board(_mirrored(values.reshape(quarter), width, height), agents, turns)


def _mirrored(quarter: NDArray[np.int64], width: int, height: int) -> NDArray[np.int16]:
    """Return the board (height, width) whose upper left quarter, middle lines included, is given."""
    y, x = np.arange(height), np.arange(width)
    board: NDArray[np.int64] = quarter[np.ix_(np.minimum(y, height - 1 - y), np.minimum(x, width - 1 - x))]
    return board.astype(np.int16)


def named(name: str) -> Board:
    """Return the board that a contest published under a name.

    Raises:
        BadOptions: there is no board of this name.
    """
    if name not in _PUBLISHED:
        raise BadOptions(
            f"There is no board {name!r}. Known are {', '.join(_PUBLISHED)}; give any other as its file's content."
        )
    return _PUBLISHED[name]


def _published(side: int, agents: int, turns: int, quarter: str) -> Board:
    values = np.array([line.split() for line in quarter.strip().splitlines()], np.int64)
    return Board(_mirrored(values, side, side), agents, turns)


_PUBLISHED = {
    "A-1": _published(
        10,
        8,
        30,
        """
        12   3   5   3   1
         3   5   7   5   3
         5   7  10   7   5
         3   5   7   5   3
         1   3   5   3  12
        """,
    ),
    "A-2": _published(
        10,
        3,
        30,
        """
         3  -3   5   7  11
        -1  -4  14   2  13
         2   7  -1   8  -2
         3  14  15   9   5
        14 -14   2  13   3
        """,
    ),
    "F-1": _published(
        20,
        8,
        60,
        """
        -15   7  -3   1  -4  10  -8   5 -10   1
          4  -1   6 -10  11  -4   3  -9   2   0
         -4   2  -7   7  -1   2  -8   3   0   1
          9 -10   4 -10   6  -7   4  -1   2 -12
         -4  12  -2   1  -6   5  -3   4 -11   1
          6  -7   4  -5   6  -4   1 -13   2  -7
         -9  12  -4   7  -1   3 -10   5 -10   5
         16  -3   8  -3   1  -4   6  -1  12  -4
         -2   9   0   5  -2   4  -3  10  -3   8
         10   0   2  -1   1  -7   4  -5  16 -16
        """,
    ),
}
"""The published boards by name, all mirrored on both axes. The contests' boards Kakom-1, Kakom-2 and island-1 to -5 are
not among them; users who have their files can play them by the option ``board``."""

NAMES = tuple(_PUBLISHED)
"""The names of the published boards."""
