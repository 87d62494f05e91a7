"""The rules of Wondev Woman: climb to the top for points, raise cells, push others away, and see only near units.

After the referee of CodinGame's contest of 2017 (``CodinGame/WondevWoman``). The seats act in turn. MOVE&BUILD: a unit
steps on a neighbouring cell that is at most one level higher, then raises a cell next to it by one level; a step on
height 3 scores a point, a cell of height 4 is out of play. PUSH&BUILD: a neighbouring unit of the opponent is pushed
one cell away, and the cell that it leaves is raised.

In the fog a seat sees the opponent's units only at a distance of 1. It may build on the cell of a hidden unit, or push
to it; then the build, or push and build, have no effect.

A seat that accepts defeat or is disqualified is out: it keeps its points, its units stand where they are, and the
other seat plays on until a round ends in which it has more points.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.batch import seat_out
from games.wondev_woman.actions import ACTIONS
from games.wondev_woman.board import (
    BOTH_STEPS,
    EVERY,
    FIRST_STEP,
    WORDS,
    Bools,
    Ints,
    Planes,
    at,
    cone,
    ends,
    firsts,
    looked_up,
    seconds,
    zone,
)
from games.wondev_woman.state import PLIES_MAX, State

_ONE = np.uint64(1)
_SIX = np.uint64(6)
_SEVEN = np.uint64(7)
_STEPS = np.uint64(63)
"""Mask of the bits of an action's number that hold its steps."""
_SEATS = np.array([[0], [1]], np.int16)


def step(state: State, actions: Ints) -> State:
    """Return the state after a turn on all boards that are not over.

    ``actions`` (B,) are the numbers of the actions of the seats to move; any number that is no legal action accepts
    defeat. Actions on boards that are over, or whose seat to move is out, are ignored.
    """
    asked, going = to_move(state), ~state.over
    number = actions & (ACTIONS - 1)
    words = np.take_along_axis(state.legal, (number >> 6).astype(np.intp)[None], axis=0)[0]
    legal: Bools = (number == actions) & (words >> (number & 63).astype(np.uint64) & _ONE != 0)
    acting = asked & legal
    low, units, scored = _act(state, acting, actions.astype(np.uint64))
    mover = state.mover == _SEATS
    after = replace(
        state,
        low=low,
        units=units,
        points=state.points + (scored & mover),
        out=state.out | (asked & ~acting & mover),
        ply=state.ply + going,
        played=state.played + going,
    )
    return with_legal(_passed(replace(after, over=ended(after, after.ply & 1 == 0))))


def _act(state: State, acting: Bools, actions: Planes) -> tuple[Planes, Planes, Bools]:
    """Play actions (B,) where ``acting`` is True; return ``low``, ``units`` and whether the mover scores (B,)."""
    own, foes = sides(state.units, state.mover)
    steps = actions & _STEPS
    unit = own[0] ^ ((own[0] ^ own[-1]) & _spread(actions >> _SIX & _ONE))
    near = unit + looked_up(FIRST_STEP, steps)
    far = unit + looked_up(BOTH_STEPS, steps)
    free = (foes[0] != far) & (foes[-1] != far)  # else a hidden unit is there: with a visible one, it were not legal
    # A move brings a unit from its cell to the near cell and builds on the far one; a push brings a unit from the near
    # cell to the far one and builds on the near one.
    pushes = actions >> _SEVEN & _ONE
    pushed = _spread(pushes)
    swap = (near ^ far) & pushed
    source = unit ^ ((unit ^ near) & pushed)
    moves = pushes == 0
    target = np.where(acting & (free | moves), near ^ swap, source)
    rest = ~(at(far ^ swap) * (acting & free))
    higher = np.empty_like(state.low)
    np.bitwise_and(state.low[0], rest, out=higher[0])
    np.bitwise_or(state.low[:-1], rest, out=higher[1:])  # a cell stays in a plane if it was in the lower one, too
    higher[1:] &= state.low[1:]
    low = higher
    return low, np.where(state.units == source, target, state.units), acting & moves & (at(near) & state.low[2] == 0)


def _passed(state: State) -> State:
    """Return the state after a pass on each board where the seat to move is out and the other seat plays on alone."""
    alone = ~(state.over | to_move(state))
    if not alone.any():
        return state
    passed = replace(state, ply=state.ply + alone)
    return replace(passed, over=ended(passed, passed.ply & 1 == 0))


def ended(state: State, round_ends: Bools) -> Bools:
    """Return (B,): whether the match has ended, for a state after a turn.

    ``round_ends`` (B,) tells whether both seats have had their turns.
    A seat that is ahead of one that is out, or that has climbed to the top in league 0, wins only at the end of the
    round.
    """
    first, second = state.out
    over: Bools = state.ply >= PLIES_MAX
    if state.league.climb:
        over |= first | second | (round_ends & on_top(state).any(axis=0))
    else:
        ahead = (state.points[1] > state.points[0]) & first | (state.points[0] > state.points[1]) & second
        over |= first & second | round_ends & ahead
    return over


def on_top(state: State) -> Bools:
    """Return (2, B): whether a unit of each seat stands on height 3."""
    standing: Bools = (at(state.units) & (state.low[3] & ~state.low[2]) != 0).any(axis=1)
    return standing


def to_move(state: State) -> Bools:
    """Return (B,): whether the seat to move is asked."""
    asked: Bools = ~(state.over | np.where(state.mover, state.out[1], state.out[0]))
    return asked


def asked_on(state: State, b: int) -> int | None:
    """Return the seat that is asked on board b, None if none is; much faster than ``to_move`` for one board."""
    mover = int(state.ply[b]) & 1
    return None if state.over[b] or state.out[mover, b] else mover


def scores(state: State) -> NDArray[np.int16]:
    """Return (2, B): the points; in league 0, 1 for a seat that has won and -1 for one that is out."""
    if not state.league.climb:
        return state.points.astype(np.int16)
    won = on_top(state) & state.over
    return np.where(state.out, -1, won).astype(np.int16)


def with_legal(state: State) -> State:
    """Return the state with ``legal`` computed for all boards."""
    own, foes = sides(state.units, state.mover)
    words = legal(state, own, foes)
    words *= to_move(state)
    return replace(state, legal=words)


def sides(units: Planes, seat: Ints) -> tuple[Planes, Planes]:
    """Return the units (U, B) of a seat (B,) on each board, and those of the other seat."""
    swap = (units[0] ^ units[1]) & _spread(seat.astype(np.uint64))
    return units[0] ^ swap, units[1] ^ swap


def legal(state: State, own: Planes, foes: Planes) -> Planes:
    """Return (4, B): words of the legal actions of a seat with the units ``own`` (U, B) against ``foes`` (U, B)."""
    own_at = at(own)
    owns, seen = _union(own_at), _union(at(foes))
    if state.league.fog:
        seen &= _union(zone(own))
    free = ~(owns | seen)
    words = np.zeros((WORDS, state.boards), np.uint64)
    # A unit may build on the cell that it leaves, but not on that of the other unit of its seat.
    sites = state.low[3] & ~((owns ^ own_at) | seen)
    np.bitwise_and(ends(sites, own), firsts(_climbs(state, own) & free, own), out=words[: len(own)])
    if state.league.push:
        # Hidden units are too far away to be pushed.
        ways = cone(own, foes[:, None]) & seconds(_climbs(state, foes) & free, foes)[:, None]
        np.bitwise_or(ways[0], ways[1], out=words[2:])
    return words


def _union(planes: Planes) -> Planes:
    """Return the union (B,) of the planes of one or two units (U, B)."""
    both: Planes = planes[0] | planes[-1]
    return both


def _climbs(state: State, units: Planes) -> Planes:
    """Return planes: the cells low enough for each unit (.., B) to step on from its cell, free or not."""
    low = state.low
    climbs = _beyond(low[0], units)
    climbs &= low[2]
    climbs |= low[1]
    climbs |= _beyond(low[1], units) & low[3]
    return climbs


def _beyond(plane: Planes, units: Planes) -> Planes:
    """Return all bits for units that do not stand on a cell of the plane, no bits for those that do."""
    beyond = plane >> units
    beyond &= _ONE
    beyond -= _ONE
    return beyond


def _spread(flags: Planes) -> Planes:
    """Return all bits for 1, no bits for 0."""
    return flags * EVERY


def disqualify(state: State, b: int, seat: int) -> State:
    """Return the state in which a seat is out on board b. ``over`` does not change before the next turn."""
    legal = state.legal.copy()
    if state.mover[b] == seat:
        legal[:, b] = 0
    return replace(seat_out(state, b, seat), legal=legal)
