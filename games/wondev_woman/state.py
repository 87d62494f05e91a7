"""The state of a batch of Wondev Woman boards. ``board`` explains planes, spots and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np

from games.wondev_woman.board import HEIGHT_MAX, WORDS, Bools, Cell, Ints, Planes, spot

SEATS: Final = 2
PLIES_MAX: Final = 400
"""The most turns of a match: 200 rounds, in each of which each seat has a turn."""


@dataclass(frozen=True, slots=True)
class League:
    """The rules that differ between the leagues of the contest."""

    number: int
    """0 to 3."""

    @property
    def units(self) -> int:
        """U, the number of units of each seat."""
        return 1 if self.number < 2 else 2

    @property
    def push(self) -> bool:
        """Whether units may push."""
        return self.number >= 2

    @property
    def fog(self) -> bool:
        """Whether units at a distance of more than 1 are hidden."""
        return self.number >= 3

    @property
    def climb(self) -> bool:
        """Whether a seat wins at once with a unit on the top at the end of a round; otherwise points count."""
        return self.number == 0


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards. The arrays are never changed."""

    league: League
    size: Ints
    """(B,): side of the square in which a board lies."""
    cells: Planes
    """(B,): the cells that exist."""
    low: Planes
    """(4, B): the cells of height 0, of heights 0 to 1, of 0 to 2, and of 0 to 3."""
    units: Planes
    """(2, U, B): the spots of the units of each seat."""
    points: Ints
    """(2, B): how often each seat has stepped on the top."""
    out: Bools
    """(2, B): whether each seat has accepted defeat or is disqualified."""
    ply: Ints
    """(B,): number of turns passed, including those of a seat that is out."""
    played: Ints
    """(B,): number of turns played, without those of a seat that is out, which ``ply`` includes."""
    over: Bools
    """(B,): whether the match has ended."""
    legal: Planes
    """(4, B): words of the legal actions of the seat to move; 0 if the board is over or the seat to move is out."""

    @property
    def boards(self) -> int:
        """The number of boards, B."""
        return len(self.cells)

    @property
    def mover(self) -> Ints:
        """(B,): the seat to move."""
        mover: Ints = self.ply & 1
        return mover


@dataclass(frozen=True, slots=True)
class Position:
    """One board in plain Python."""

    size: int
    heights: Mapping[Cell, int]
    """The height of each cell that exists."""
    units: Sequence[Sequence[Cell]]
    """Places of the units of each seat."""
    points: tuple[int, int] = (0, 0)
    seat: int = 0
    """The seat to move."""


def batch(positions: Sequence[Position], league: League) -> State:
    """Return a batch of boards in these positions, with no seat out; ``legal`` is 0."""
    count = len(positions)
    low = [[_plane(position, height) for position in positions] for height in range(HEIGHT_MAX)]
    spots = [[[spot(x, y) for x, y in seat] for seat in position.units] for position in positions]
    return State(
        league=league,
        size=np.array([position.size for position in positions], np.int16),
        cells=np.array([_plane(position, HEIGHT_MAX) for position in positions], np.uint64),
        low=np.array(low, np.uint64),
        units=np.array(spots, np.uint64).reshape(count, SEATS, league.units).transpose(1, 2, 0).copy(),
        points=np.array([position.points for position in positions], np.int16).reshape(count, SEATS).T.copy(),
        out=np.zeros((SEATS, count), np.bool_),
        ply=np.array([position.seat for position in positions], np.int16),
        played=np.zeros(count, np.int16),
        over=np.zeros(count, np.bool_),
        legal=np.zeros((WORDS, count), np.uint64),
    )


def _plane(position: Position, height: int) -> int:
    """Return the plane of the cells of at most this height."""
    return sum(1 << spot(x, y) for (x, y), own in position.heights.items() if own <= height)
