"""What becomes of the orders of one turn, all seats at once.

After the core of codeforkosen/Kakomimasu, tag v2.0.1. In this order:

1. Legality, on the board as it is at the start; else ILLEGAL_ACTION. PUT: the agent is off the board, the target on it.
   MOVE: the target is one of the 8 neighbours. REMOVE: likewise, and it is a wall, anybody's. NONE is never legal.
2. A MOVE onto a wall of another seat: REVERT.
3. Two or more orders still valid with the same target, whoever's and of whatever kind: CONFLICT for all of them.
4. Agents with a valid PUT or MOVE stand at their targets, all others where they were. Who would stand where another
   agent stands: REVERT, and he stands where he was; repeat until nothing changes. So a blocked leader stops his
   followers, while trains, swaps and cycles within a seat work.
5. The PUTs and MOVEs are carried out, but a PUT onto a wall of another seat does nothing and still is a SUCCESS.
6. A REMOVE of a cell on which an agent now stands: REVERT.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.kakomimasu.state import WALL_BITS, Bools, Ints, Kind, Result, State, flat, foreign_walls

# As numpy's own numbers: enumerations are slow to compare arrays with.
_STAND, _PUT, _MOVE, _REMOVE = np.array([Kind.STAND, Kind.PUT, Kind.MOVE, Kind.REMOVE], np.int16)
_NO_ORDER, _CONFLICT, _REVERT, _ILLEGAL = np.array(
    [Result.NO_ORDER, Result.CONFLICT, Result.REVERT, Result.ILLEGAL_ACTION], np.int8
)


@dataclass(frozen=True, slots=True)
class Resolution:
    """What becomes of the orders, all (P, A, B)."""

    results: NDArray[np.int8]
    carried: Bools
    """A PUT or MOVE that changes the board."""
    removed: Bools
    """A REMOVE that changes the board."""


def resolve(state: State, kind: Ints, target: NDArray[np.int16]) -> Resolution:
    """Resolve the orders of a turn.

    Args:
        state: before the turn.
        kind: (P, A, B), ``Kind``.
        target: (P, A, B), spots.
    """
    at = flat(target)
    code = state.cells.reshape(-1).take(at)
    foreign = foreign_walls(code)
    legal = _legal(state, kind, target, code)
    walled = legal & foreign & (kind == _MOVE)
    valid = legal & ~walled
    rival = _rivals(state, valid, at)
    valid &= ~rival
    remove = kind == _REMOVE
    going = valid & ~remove
    free = _free(going, _occupants(state, at))
    results = _results(kind, legal, rival, walled | (valid & ~free))
    valid &= free
    return Resolution(results, carried=going & free & ~foreign, removed=valid & remove)


def _legal(state: State, kind: Ints, target: NDArray[np.int16], code: NDArray[np.uint8]) -> Bools:
    put, move, remove = kind == _PUT, kind == _MOVE, kind == _REMOVE
    placed = state.agents != 0
    near = placed & _neighbours(state, target)
    walled = (code & WALL_BITS) != 0
    legal: Bools = (target != 0) & ((put & ~placed) | (near & (move | (remove & walled))))
    return legal


def _neighbours(state: State, target: NDArray[np.int16]) -> Bools:
    """Return (P, A, B): whether the target is one of the 8 cells round the agent; both must be on the board."""
    apart = np.abs(target - state.agents)
    near: Bools = (apart == 1) | (np.abs(apart - np.int16(state.grid[1] + 2)) <= 1)
    return near


def _rivals(state: State, valid: Bools, at: NDArray[np.intp]) -> Bools:
    """Return (P, A, B): whether the order is valid and another valid one has the same target."""
    numbers = _numbers(*at.shape[:2])
    at = at * valid  # all others point at the first spot, which is no target
    last = np.empty(state.cells.size, numbers.dtype)
    last[at] = numbers  # of several orders with one target the last stays written
    winners = last.take(at)
    rivals: Bools = valid & (winners != numbers)
    beaten = rivals.reshape(-1).nonzero()[0]
    if not beaten.size:
        return rivals
    winner = winners.reshape(-1)[beaten].astype(np.intp) - 1
    rivals.reshape(-1)[winner * state.boards + beaten % state.boards] = True
    return rivals


def _occupants(state: State, at: NDArray[np.intp]) -> Ints:
    """Return (P, A, B): number of the agent that stands at the target before the turn, from 1; 0: nobody."""
    numbers = _numbers(*at.shape[:2])
    who = np.zeros(state.cells.shape, numbers.dtype)
    who.reshape(-1)[flat(state.agents)] = numbers
    who[0] = 0  # where the agents off the board were written
    return who.reshape(-1).take(at)


@lru_cache(maxsize=16)
def _numbers(seats: int, agents: int) -> Ints:
    """Return (P, A, 1), not to be written to: numbers of all agents, from 1, in the smallest type."""
    count = seats * agents
    return np.arange(1, 1 + count, dtype=np.min_scalar_type(count)).reshape(seats, agents, 1)


def _free(going: Bools, occupant: Ints) -> Bools:
    """Return (P, A, B): whether nobody else will stand at the target.

    Args:
        going: orders to go to a target, all targets different.
        occupant: who stands at the target before the turn, see ``_occupants``.
    """
    seats, agents, boards = going.shape
    leaves = np.empty((1 + seats * agents, boards), np.bool_)
    leaves[0] = True  # by number of the occupant: nobody is as good as one who leaves
    leaving = leaves[1:].reshape(going.shape)
    leaving[:] = going
    at = flat(occupant)
    while True:
        free = leaves.reshape(-1).take(at)
        if not np.count_nonzero(leaving & ~free):
            return free
        leaving &= free


def _results(kind: Ints, legal: Bools, rival: Bools, reverted: Bools) -> NDArray[np.int8]:
    """Return (P, A, B): the results; of ``~legal``, ``rival`` and ``reverted`` one at most holds for an order."""
    results: NDArray[np.int8] = rival.view(np.int8) * _CONFLICT
    results += reverted.view(np.int8) * _REVERT
    results += (~legal).view(np.int8) * _ILLEGAL
    results[kind == _STAND] = _NO_ORDER
    return results
