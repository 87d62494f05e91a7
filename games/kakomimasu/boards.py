"""Boards: generated from a seed, published by contests, or given as the content of a file."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.game import BadOptions
from core.seeding import between, draws
from games.kakomimasu.published import PUBLISHED

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
    """(height, width): the points of each cell."""
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
    """Return the board that is generated from a seed, 0 <= seed < 2**64: the same on every machine, in every release.

    It is mirrored on both axes, so that no seat has the better half. If you change this, also change
    ``rules_version``.
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
    """Return the board that was published under a name; its points cannot be written to.

    Raises:
        BadOptions: there is no board of this name.
    """
    if name not in BOARDS:
        raise BadOptions(
            f"There is no board {name!r}. Known are {', '.join(NAMES)}; give any other as its file's content."
        )
    return BOARDS[name]


def _published() -> dict[str, Board]:
    """Return the published boards by name."""
    found = {}
    for head, *rows in (block.splitlines() for block in PUBLISHED.strip().split("\n\n")):
        name, agents, turns, mirrored = head.split()
        points = np.array([row.split() for row in rows], np.int16)
        points = np.hstack([points, points[:, ::-1]]) if "x" in mirrored else points
        points = np.vstack([points, points[::-1]]) if "y" in mirrored else points
        points.flags.writeable = False  # all matches on the board share it
        found[name] = Board(points, int(agents), int(turns))
    return found


BOARDS = _published()
NAMES = tuple(BOARDS)
"""The names of the published boards."""
