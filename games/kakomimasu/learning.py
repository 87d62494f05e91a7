"""Observations for learning, and a shape that all generated boards share."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.batch import own_first
from games.kakomimasu.boards import SIDE_MAX
from games.kakomimasu.state import AREAS, WALLS, Result, State, flat
from games.planes import stacked


def padded(state: State, agents: int) -> State:
    """Return a first state on a grid of the largest generated board, with A = ``agents`` agents of each seat."""
    height, width = state.grid
    points = np.zeros((SIDE_MAX + 2, SIDE_MAX + 2, state.boards), np.int16)
    points[: height + 2, : width + 2] = state.points.reshape(height + 2, width + 2, -1)
    places = len(state.agents), agents, state.boards
    return replace(
        state,
        grid=(SIDE_MAX, SIDE_MAX),
        points=points.reshape(-1, state.boards),
        cells=np.zeros(((SIDE_MAX + 2) ** 2, state.boards), np.uint8),
        agents=np.zeros(places, np.int16),
        results=np.full(places, Result.NO_ORDER, np.int8),
    )


def observation(state: State, seat: int) -> NDArray[np.int32]:
    """Return planes (B, C, H, W) with H and W of the grid. P seats come in the order of ``own_first``.

    1: cells of the board; 1: their points; P: walls of each seat; P: area; P: agents, numbered from 1.
    Numbers: P: points of walls; P: points of area; the next turn; the number of turns; agents of a seat.
    """
    order = own_first(len(state.agents), seat)
    height, width = state.grid
    y, x = np.ogrid[:height, :width]
    inside = (x[..., None] < state.width) & (y[..., None] < state.height)
    agents = np.zeros((len(order), state.cells.size), np.uint8)
    for plane, places in zip(agents, state.agents[order], strict=True):
        for number, at in enumerate(flat(places), 1):
            plane[at] = number  # agents off the board are written to a padding cell
    codes = np.concatenate((WALLS[order], AREAS[order]))[:, None, None]
    cells = state.points[None], (state.cells & codes) != 0, agents.reshape(len(order), *state.cells.shape)
    inner = [array.reshape(-1, height + 2, width + 2, state.boards)[:, 1:-1, 1:-1] for array in cells]
    numbers = state.scores[order, 0], state.scores[order, 1], state.turn, state.turns, state.agent_count
    return stacked(state.grid, [inside, *inner], numbers)
