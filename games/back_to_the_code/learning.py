"""Observations for learning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.batch import own_first
from games.back_to_the_code.state import MARK_BITS, State, mark
from games.planes import stacked


def observation(state: State, seat: int) -> NDArray[np.int32]:
    """Return planes (B, C, H, W). P seats come in the order of ``own_first``.

    P: cells of each seat; P: the place of each seat, none for one that is out. Numbers: P: whether each seat has its
    BACK, 0 for one that is out; the next round.
    """
    order = own_first(len(state.spots), seat)
    height, width = state.grid
    marks = np.array([mark(number) for number in order], np.int16)[:, None, None]
    living = ~state.out[order]
    places = (np.arange(state.cells.shape[1])[:, None] == state.spots[order, None]) & living[:, None]
    cells = marks == (state.cells.T & MARK_BITS), places
    inner = [array.reshape(-1, height + 2, width + 2, state.boards)[:, 1:-1, 1:-1] for array in cells]
    return stacked(state.grid, inner, [state.backs[order] & living, state.completed + 1])
