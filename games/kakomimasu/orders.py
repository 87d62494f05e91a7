"""Resolves the orders of one turn, of all seats at once.

After the core of codeforkosen/Kakomimasu, tag v2.0.1. The steps, in this order:

1. An order that is not legal on the board before the turn gets ILLEGAL_ACTION. PUT is legal if the agent is off the
   board and the target on it, MOVE if the target is one of the 8 neighbours, REMOVE if it is one of them and a wall of
   any seat. NONE is never legal.
2. A MOVE onto a wall of another seat gets REVERT.
3. If two or more orders that are still valid have the same target, all of them get CONFLICT, whatever their kinds and
   seats.
4. Agents with a valid PUT or MOVE stand at their targets, all others where they were. An agent that would stand where
   another one stands gets REVERT and stays; this is repeated until nothing changes. So a blocked agent stops those that
   follow it, while trains, swaps and cycles of agents of a seat work.
5. The remaining PUTs and MOVEs are carried out, but a PUT onto a wall of another seat has no effect, although its
   result is SUCCESS.
6. A REMOVE of a cell on which an agent now stands gets REVERT.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.kakomimasu.state import WALL_BITS, Bools, Ints, Kind, Result, State, flat, foreign_walls

# Comparing arrays with members of an enumeration is slow.
_STAND, _PUT, _MOVE, _REMOVE = np.array([Kind.STAND, Kind.PUT, Kind.MOVE, Kind.REMOVE], np.int16)
_NO_ORDER, _CONFLICT, _REVERT, _ILLEGAL = np.array(
    [Result.NO_ORDER, Result.CONFLICT, Result.REVERT, Result.ILLEGAL_ACTION], np.int8
)


@dataclass(frozen=True, slots=True)
class Resolution:
    """The results of the orders of a turn and their effects; all arrays are (P, A, B)."""

    results: NDArray[np.int8]
    """The ``Result`` of each order."""
    carried: Bools
    """Whether the order is a PUT or MOVE that changes the board."""
    removed: Bools
    """Whether the order is a REMOVE that changes the board."""


def resolve(state: State, kind: Ints, target: NDArray[np.int16]) -> Resolution:
    """Resolve the orders of a turn, given the ``Kind`` and the spot of the target of each order, (P, A, B) both."""
    at = flat(target)
    code = state.cells.reshape(-1).take(at)
    foreign = foreign_walls(code)
    put, move, remove = kind == _PUT, kind == _MOVE, kind == _REMOVE
    placed = state.agents != 0
    apart = np.abs(target - state.agents)
    near: Bools = (apart == 1) | (np.abs(apart - np.int16(state.grid[1] + 2)) <= 1)
    near = placed & near
    walled = (code & WALL_BITS) != 0
    legal: Bools = (target != 0) & ((put & ~placed) | (near & (move | (remove & walled))))
    walled = legal & foreign & (kind == _MOVE)
    valid = legal & ~walled
    rival = _rivals(state, valid, at)
    valid &= ~rival
    remove = kind == _REMOVE
    going = valid & ~remove
    # (L, B): the number, from 1, of the agent that stands on each spot before the turn; 0: none.
    numbers = _numbers(*at.shape[:2])
    who = np.zeros(state.cells.shape, numbers.dtype)
    who.reshape(-1)[flat(state.agents)] = numbers
    who[0] = 0  # agents off the board were written there
    free = _free(going, who.reshape(-1).take(at))
    results: NDArray[np.int8] = rival.view(np.int8) * _CONFLICT
    results += (walled | (valid & ~free)).view(np.int8) * _REVERT
    results += (~legal).view(np.int8) * _ILLEGAL
    results[kind == _STAND] = _NO_ORDER
    valid &= free
    return Resolution(results, carried=going & free & ~foreign, removed=valid & remove)


def _rivals(state: State, valid: Bools, at: NDArray[np.intp]) -> Bools:
    """Return (P, A, B): whether the order and another one with the same target are valid."""
    numbers = _numbers(*at.shape[:2])
    at = at * valid  # invalid orders get spot 0, which is never a target
    last = np.empty(state.cells.size, numbers.dtype)
    last[at] = numbers  # if several orders have the same target, the last one stays written
    winners = last.take(at)
    rivals: Bools = valid & (winners != numbers)
    beaten = rivals.reshape(-1).nonzero()[0]
    if not beaten.size:
        return rivals
    winner = winners.reshape(-1)[beaten].astype(np.intp) - 1
    rivals.reshape(-1)[winner * state.boards + beaten % state.boards] = True
    return rivals


@lru_cache(maxsize=16)
def _numbers(seats: int, agents: int) -> Ints:
    """Return a read-only array (P, A, 1) of the numbers of all agents, from 1, in the smallest integer type."""
    count = seats * agents
    return np.arange(1, 1 + count, dtype=np.min_scalar_type(count)).reshape(seats, agents, 1)


def _free(going: Bools, occupant: Ints) -> Bools:
    """Return (P, A, B): whether no other agent will stand at the target.

    ``going``: whether the agent is to go to its target; all targets are different. ``occupant``: the number of the
    agent that stands at the target before the turn, 0 if there is none.
    """
    seats, agents, boards = going.shape
    leaves = np.empty((1 + seats * agents, boards), np.bool_)
    leaves[0] = True  # the index is the number of an occupant; 0, no occupant, is as free as one that leaves
    leaving = leaves[1:].reshape(going.shape)
    leaving[:] = going
    at = flat(occupant)
    while True:
        free = leaves.reshape(-1).take(at)
        if not np.count_nonzero(leaving & ~free):
            return free
        leaving &= free
