"""The choices of an agent as numbers. Orders that would have no effect, whatever other agents do, have no number.

0: stand still. 1 to 8: MOVE to a neighbour, from the upper left one row by row; not onto a wall of another seat. 9 to
16: REMOVE the wall on a neighbour, in the same order. 17 + x + y * W: PUT the agent on cell (x, y), with W the width of
the grid; these numbers do not exist while no agent of the batch is off the board.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.game import Choices
from games.kakomimasu.state import WALL_BITS, Bools, Ints, Kind, State, coordinates, flat, foreign_walls, spots

_DX = np.tile(np.array([-1, 0, 1, -1, 1, -1, 0, 1], np.int16), 2)
_DY = np.tile(np.array([-1, -1, -1, 0, 0, 1, 1, 1], np.int16), 2)
_KINDS = np.array([Kind.STAND, *[Kind.MOVE] * 8, *[Kind.REMOVE] * 8, Kind.PUT], np.int16)
_PUT = len(_KINDS) - 1
"""The first number of a PUT."""
_NEAR = 1, 9
"""The first numbers of a MOVE and of a REMOVE."""


def width(state: State) -> int:
    """Return the greatest number of choices of an agent: one off the board may also be PUT on any cell of the grid."""
    return _PUT + state.grid[0] * state.grid[1]


def legal(state: State) -> Bools:
    """Return (B, P, A, N): whether each agent has each choice."""
    seats, agents, boards = state.agents.shape
    exists = np.arange(agents)[:, None] < state.agent_count
    asked = exists & ~(state.out | state.over)[:, None]
    puts = ((state.agents == 0) & asked).transpose(2, 0, 1)
    some = puts.any(axis=(1, 2)).nonzero()[0]  # few boards have agents to put after the first turn
    cells = width(state) - _PUT if some.size else 0
    # In this memory order the choices of an agent lie together, as those who choose need them.
    mask = np.zeros((boards, seats, agents, _PUT + cells), np.bool_)
    mask[..., 0] = asked.transpose(2, 0, 1)
    for first, near in zip(_NEAR, _near(state), strict=True):
        mask[..., first : first + 8] = (near & asked).transpose(3, 1, 2, 0)
    if some.size:
        y, x = np.divmod(np.arange(cells, dtype=np.int16), np.int16(state.grid[1]))
        inside = (x < state.width[some, None]) & (y < state.height[some, None])
        mask[some, ..., _PUT:] = inside[:, None, None] & puts[some][..., None]
    return mask


def _near(state: State) -> tuple[Bools, Bools]:
    """Return two arrays (8, P, A, B): to which neighbours agents may move, and where they may remove a wall."""
    x, y = coordinates(state, state.agents)
    target = spots(state, *(each + step[:8, None, None, None] for each, step in ((x, _DX), (y, _DY))))
    reached = (target != 0) & (state.agents != 0)
    code = state.cells.reshape(-1).take(flat(target))
    return reached & ~foreign_walls(code), reached & ((code & WALL_BITS) != 0)


def lines(state: State, place: Sequence[int], choices: Sequence[int]) -> list[str]:
    """Return the orders of the protocol that choices of the agent at a place, [x, y], stand for."""
    texts = []
    for choice in choices:
        kind = Kind(_KINDS[min(choice, _PUT)])
        if kind == Kind.STAND:
            texts.append("NONE")
            continue
        if kind == Kind.PUT:
            y, x = divmod(choice - _PUT, state.grid[1])
        else:
            x, y = place[0] + int(_DX[choice - 1]), place[1] + int(_DY[choice - 1])
        texts.append(f"{kind.name} {x} {y}")
    return texts


def actions(state: State, choices: Choices) -> NDArray[np.int16]:
    """Return the orders (B, P, A, 3), kind, x and y, that choices (B, P, A) stand for."""
    choices = choices.transpose(1, 2, 0)
    x, y = coordinates(state, state.agents)
    number = np.clip(choices, 0, _PUT)
    step = np.maximum(number - 1, 0) % len(_DX)
    cell: Ints = choices - _PUT
    kind = _KINDS.take(number)
    put = kind == Kind.PUT
    row, column = np.divmod(cell, state.grid[1])
    order = kind, np.where(put, column, x + _DX.take(step)), np.where(put, row, y + _DY.take(step))
    return np.where(kind == Kind.STAND, 0, np.stack(order)).astype(np.int16).transpose(3, 1, 2, 0)
