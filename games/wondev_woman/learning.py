"""Observations for learning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.planes import stacked
from games.wondev_woman.board import HEIGHT_MAX, SIZE_MAX, Bools, Planes, at, spot, zone
from games.wondev_woman.state import State

_SPOTS = np.array([[spot(x, y) for x in range(SIZE_MAX)] for y in range(SIZE_MAX)], np.uint64)[..., None]


def observation(state: State, seat: int) -> NDArray[np.int32]:
    """Return planes (B, C, 7, 7); boards lie in the upper left corner.

    1: cells of the board; 1: their heights; U: the place of each unit of the seat; U: that of each unit of the
    opponent, none if it is hidden.
    """
    own, foes = at(state.units[seat]), at(state.units[1 - seat])
    if state.league.fog:
        foes &= np.bitwise_or.reduce(zone(state.units[seat]), axis=0)
    exists = _flags(state.cells)
    heights = exists * HEIGHT_MAX - sum(_flags(plane).astype(np.int8) for plane in state.low)
    return stacked((SIZE_MAX, SIZE_MAX), [exists, heights, *map(_flags, (*own, *foes))], [])


def _flags(planes: Planes) -> Bools:
    """Return (7, 7, B): whether each cell is in the plane (B,)."""
    flags: Bools = planes >> _SPOTS & np.uint64(1) != 0
    return flags
