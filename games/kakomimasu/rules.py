"""The rules of Kakomimasu: put agents on a board, build walls by walking, and own the areas that your walls enclose.

After the core of codeforkosen/Kakomimasu, tag v2.0.1. In each turn all seats give orders at once. Then

1. the orders are resolved (``orders``): cells that agents step on become walls, removed walls become neutral;
2. areas are enclosed (``core.enclosure``): a cell that is no wall becomes area of the seat whose ring is the innermost
   one round it. A cell that no ring encloses keeps its owner, so area stays when its ring is opened.

A wall counts the points of its cell, area counts their absolute value. The seat with most points at the end is the
best; if points are equal, the one with more points in walls.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.batch import select_boards
from core.enclosure import Plane, enclosed, members, pack
from games.kakomimasu import article
from games.kakomimasu.orders import resolve
from games.kakomimasu.state import AREAS, SEATS_MAX, WALLS, Ints, State, spots

_BLOCK_CELLS = 400_000
"""Number of cells that are worked on at a time: they fit into a processor's cache, in which orders look cells up."""
_SLOTS = np.full(256, 2 * SEATS_MAX)
"""For each code, the index of the score to which a cell counts: 2 * seat, + 1 if it is area; neutral cells count to an
extra one behind all seats."""
_SLOTS[WALLS], _SLOTS[AREAS] = np.arange(2 * SEATS_MAX).reshape(-1, 2).T


def step(state: State, orders: Ints) -> State:
    """Return the state after a turn on all boards that are not over.

    ``orders`` (3, P, A, B) are ``Kind``, x and y of the order to each agent. Those of disqualified seats, of agents
    that a board does not have, and on boards that are over count as STAND.
    """
    playing = ~state.over
    blocks = _blocks(state)
    if len(blocks) == 1:
        cells, scores, agents, results = _moved(state, orders)
    else:
        parts = [_moved(select_boards(state, some), orders[..., some]) for some in blocks]
        cells, scores, agents, results = (np.concatenate(each, axis=-1) for each in zip(*parts, strict=True))
    if not (state.settled and np.array_equal(cells, state.cells)):  # late in a match many turns change no cell
        enclose(state, cells, scores)
    moved = replace(state, cells=cells, agents=agents, results=results, scores=scores)
    return replace(moved, played=state.played + playing, settled=True)


def _blocks(state: State) -> list[slice]:
    """Return the blocks of boards that are worked on one after another, at least one."""
    size = max(1, _BLOCK_CELLS // len(state.cells))
    return [slice(start, start + size) for start in range(0, max(state.boards, 1), size)]


_Moved = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int16], NDArray[np.int8]]


def _moved(state: State, orders: Ints) -> _Moved:
    """Return new cells, scores, agents and results after the orders, without enclosure."""
    playing = ~state.over
    exists = np.arange(state.agents.shape[1])[:, None] < state.agent_count
    kind = orders[0] * (exists & (playing & ~state.out)[:, None])  # else Kind.STAND, which is 0; np.where is slower
    target = spots(state, orders[1], orders[2])
    turn = resolve(state, kind, target)
    cells, scores = state.cells.copy(), state.scores.copy()
    changed = (turn.carried | turn.removed).reshape(-1).nonzero()[0]
    seat = changed // turn.carried[0].size
    board = changed - changed // state.boards * state.boards  # numpy's % is much slower
    code = WALLS.take(seat) * turn.carried.reshape(-1).take(changed)
    _paint(state.points, cells, scores, target.reshape(-1).take(changed), board, code)
    agents = np.where(turn.carried, target, state.agents)
    return cells, scores, agents, np.where(playing, turn.results, state.results)


def enclose(state: State, cells: NDArray[np.uint8], scores: NDArray[np.int32]) -> None:
    """Make enclosed cells area of the enclosing seats, on all boards; change ``cells`` and ``scores`` in place."""
    walled, owned = _planes(state, cells)
    areas = article.enclosed(state, cells) if state.article else enclosed(walled)
    areas &= ~owned
    if np.count_nonzero(areas):
        place, board = members(areas)
        seat, spot = np.divmod(place, len(cells))
        _paint(state.points, cells, scores, spot, board, AREAS.take(seat))


def _planes(state: State, cells: NDArray[np.uint8]) -> Plane:
    """Return (2, P, H + 2, W + 2, K): the walls of each seat, and its area."""
    seats, (height, width) = len(state.agents), state.grid
    own = np.concatenate((WALLS[:seats], AREAS[:seats]))[:, None, None]
    size = max(1, _BLOCK_CELLS // (own.size * cells.shape[1]))
    planes = [pack(cells[start : start + size] & own) for start in range(0, len(cells), size)]
    return np.concatenate(planes, axis=1).reshape(2, seats, height + 2, width + 2, -1)


def walls(state: State) -> Plane:
    """Return (P, H + 2, W + 2, K): the walls of each seat, as planes for ``core.enclosure``."""
    planes: Plane = _planes(state, state.cells)[0]
    return planes


def _paint(
    points: Ints, cells: NDArray[np.uint8], scores: NDArray[np.int32], spot: Ints, board: Ints, code: NDArray[np.uint8]
) -> None:
    """Write new codes (n,) into n different cells of ``cells``, and update ``scores``, both in place.

    ``spot`` and ``board`` (n,) are the spot and the board of each of these cells; ``points`` is ``State.points``.
    """
    at = spot.astype(np.intp) * cells.shape[1] + board
    before = cells.reshape(-1).take(at)
    new = (before != code).nonzero()[0]  # most steps lead over own walls
    if not new.size:
        return
    at, spot, board, before, code = (each.take(new) for each in (at, spot, board, before, code))
    worth = points[spot, board]
    cells.reshape(-1)[at] = code
    scores += _worth(code, worth, board, scores.shape)
    scores -= _worth(before, worth, board, scores.shape)


def _worth(code: NDArray[np.uint8], points: Ints, board: Ints, shape: tuple[int, ...]) -> NDArray[np.int32]:
    """Return the points of n cells, summed by seat, kind and board like ``State.scores``, whose shape is given.

    ``code``, ``points`` and ``board`` (n,) are the code, the points and the board of each cell.
    """
    seats, kinds, boards = shape
    slot = _SLOTS.take(code)
    counted = np.where(slot & 1, np.abs(points), points)
    sums = np.bincount(slot * boards + board, counted, (2 * SEATS_MAX + 1) * boards)
    return sums[: seats * kinds * boards].reshape(shape).astype(np.int32)  # floats, but exact: far below 2**53


def totals(state: State) -> NDArray[np.int32]:
    """Return (P, B): the points of walls and area together."""
    return state.scores[:, 0] + state.scores[:, 1]


def ranks(state: State) -> NDArray[np.int64]:
    """Return (B, P): places by total points, then by points of walls; disqualified seats share the last places."""
    total, walls, out = totals(state), state.scores[:, 0], state.out
    richer = (total[:, None] > total) | ((total[:, None] == total) & (walls[:, None] > walls))
    better = (~out[:, None] & out) | ((~out[:, None] & ~out) & richer)
    places: NDArray[np.int64] = 1 + better.sum(axis=0).T
    return places
