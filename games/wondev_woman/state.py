"""What a batch of Wondev Woman boards is made of. For planes, spots and words see ``board``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np

from games.wondev_woman.board import HEIGHT_MAX, WORDS, Bools, Cell, Ints, Planes, spot

SEATS: Final = 2
PLIES_MAX: Final = 400
"""200 rounds, in each of which each seat has a turn."""


@dataclass(frozen=True, slots=True)
class League:
    """What sets the leagues of the contest apart."""

    number: int
    """0 to 3."""

    @property
    def units(self) -> int:
        """Units of each seat, U."""
        return 1 if self.number < 2 else 2

    @property
    def push(self) -> bool:
        """Whether units may push."""
        return self.number >= 2

    @property
    def fog(self) -> bool:
        """Whether units that are far away are hidden."""
        return self.number >= 3

    @property
    def climb(self) -> bool:
        """Whether who stands on the top at the end of a round wins at once; else points count."""
        return self.number == 0


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards. The arrays are never changed."""

    league: League
    size: Ints
    """(B,): of the square in which a board lies."""
    cells: Planes
    """(B,): the cells that exist."""
    low: Planes
    """(4, B): the cells of height 0, of 0 to 1, of 0 to 2, of 0 to 3."""
    units: Planes
    """(2, U, B): spots of the units of each seat."""
    points: Ints
    """(2, B): how often each seat stepped on the top."""
    out: Bools
    """(2, B): accepted defeat, or disqualified."""
    ply: Ints
    """(B,): how many turns of both seats have passed, those of a seat that is out included."""
    played: Ints
    """(B,): how many actions or passes have been played; the seat to move may play on alone."""
    over: Bools
    """(B,)"""
    legal: Planes
    """(4, B): words of what the seat to move may do; empty on boards that are over, or whose seat to move is out."""

    @property
    def boards(self) -> int:
        """B."""
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
    """Of the cells that exist."""
    units: Sequence[Sequence[Cell]]
    """Places of the units of each seat."""
    points: tuple[int, int] = (0, 0)
    seat: int = 0
    """The seat to move."""


def batch(positions: Sequence[Position], league: League) -> State:
    """Return boards in these positions, nobody out; ``legal`` is left empty."""
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
    """Return the cells of at most this height."""
    return sum(1 << spot(x, y) for (x, y), own in position.heights.items() if own <= height)
