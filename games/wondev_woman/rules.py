"""Wondev Woman: climb to the top for points, raise cells, push others away, and do not see far.

After the referee of CodinGame's contest of 2017 (``CodinGame/WondevWoman``). The seats act in turn. MOVE&BUILD: a unit
steps on a neighbouring cell that is at most one level higher, then raises a cell next to it by one level; stepping on
height 3 is a point, height 4 is out of play. PUSH&BUILD: a neighbouring unit of the other seat is pushed one cell away,
and the cell it leaves is raised.

In the fog a seat sees the units of the other one at a distance of 1 only. It may build or push where a hidden unit
stands; the build, or push and build, then come to nothing.

A seat that accepts defeat or is disqualified is out: it keeps its points, its units stand where they are, and the
other seat plays on until a round ends in which it has more points.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.game import seat_out
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
_ACTIONS = 64 * WORDS
_SEVEN = np.uint64(7)
_STEPS = np.uint64(63)
"""The bits of an action's number that tell its steps."""
_SEATS = np.array([[0], [1]], np.int16)


def step(state: State, actions: Ints) -> State:
    """Play one turn on all boards that are not over.

    Args:
        state: before the turn.
        actions: (B,): what the seat to move does, the number of a legal action; any other accepts defeat. Those of
            boards that are over, or whose seat to move is out, do not count.
    """
    asked, going = to_move(state), ~state.over
    acting = asked & _are_legal(state, actions)
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


def _are_legal(state: State, actions: Ints) -> Bools:
    """Return (B,): whether the seat to move may do these actions."""
    number = actions & (_ACTIONS - 1)
    words = np.take_along_axis(state.legal, (number >> 6).astype(np.intp)[None], axis=0)[0]
    legal: Bools = (number == actions) & (words >> (number & 63).astype(np.uint64) & _ONE != 0)
    return legal


def _act(state: State, acting: Bools, actions: Planes) -> tuple[Planes, Planes, Bools]:
    """Play the actions (B,) of the boards that are acting; return ``low``, ``units`` and who scores (B,)."""
    own, foes = sides(state.units, state.mover)
    steps = actions & _STEPS
    unit = own[0] ^ ((own[0] ^ own[-1]) & _spread(actions >> _SIX & _ONE))
    near = unit + looked_up(FIRST_STEP, steps)
    far = unit + looked_up(BOTH_STEPS, steps)
    free = (foes[0] != far) & (foes[-1] != far)  # else a hidden unit is there, or the action would not be legal
    # A move takes a unit from where it stands to the near cell and builds on the far one, a push takes a unit from the
    # near cell to the far one and builds on the near one.
    pushes = actions >> _SEVEN & _ONE
    pushed = _spread(pushes)
    swap = (near ^ far) & pushed
    source = unit ^ ((unit ^ near) & pushed)
    moves = pushes == 0
    target = np.where(acting & (free | moves), near ^ swap, source)
    low = _raise(state.low, at(far ^ swap) * (acting & free))
    return low, np.where(state.units == source, target, state.units), acting & moves & (at(near) & state.low[2] == 0)


def _raise(low: Planes, raised: Planes) -> Planes:
    """Return the planes with the cells (B,) one level higher."""
    rest = ~raised
    higher = np.empty_like(low)
    np.bitwise_and(low[0], rest, out=higher[0])
    np.bitwise_or(low[:-1], rest, out=higher[1:])  # a cell stays in a plane if it was in the one below already
    higher[1:] &= low[1:]
    return higher


def _passed(state: State) -> State:
    """Pass the turn on where the seat to move is out and the other one plays alone."""
    alone = ~(state.over | to_move(state))
    if not alone.any():
        return state
    passed = replace(state, ply=state.ply + alone)
    return replace(passed, over=ended(passed, passed.ply & 1 == 0))


def ended(state: State, round_ends: Bools) -> Bools:
    """Return (B,): whether nothing is left to be played.

    Args:
        state: after a turn.
        round_ends: (B,): whether both seats have had their turns: whoever is ahead of a seat that is out, or climbed in
            the league of climbers, wins at the end of the round only.
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
    """Return (2, B): whether one of the seat's units stands on height 3."""
    standing: Bools = (at(state.units) & (state.low[3] & ~state.low[2]) != 0).any(axis=1)
    return standing


def to_move(state: State) -> Bools:
    """Return (B,): whether the seat to move is asked."""
    asked: Bools = ~(state.over | np.where(state.mover, state.out[1], state.out[0]))
    return asked


def scores(state: State) -> NDArray[np.int16]:
    """Return (2, B): points; in the league of climbers 1 for who won, -1 for who is out."""
    if not state.league.climb:
        return state.points.astype(np.int16)
    won = on_top(state) & state.over
    return np.where(state.out, -1, won).astype(np.int16)


def with_legal(state: State) -> State:
    """Return the state with ``legal`` of all boards."""
    own, foes = sides(state.units, state.mover)
    words = legal(state, own, foes)
    words *= to_move(state)
    return replace(state, legal=words)


def sides(units: Planes, seat: Ints) -> tuple[Planes, Planes]:
    """Return the units (U, B) of each board's seat, and those of the other one."""
    swap = (units[0] ^ units[1]) & _spread(seat.astype(np.uint64))
    return units[0] ^ swap, units[1] ^ swap


def legal(state: State, own: Planes, foes: Planes) -> Planes:
    """Return (4, B): words of what the seat with the units ``own`` (U, B) may do against ``foes`` (U, B)."""
    own_at = at(own)
    owns, seen = _union(own_at), _union(at(foes))
    if state.league.fog:
        seen &= _union(zone(own))
    free = ~(owns | seen)
    words = np.zeros((WORDS, state.boards), np.uint64)
    # A unit may build on the cell that it leaves, but not on that of its team.
    sites = state.low[3] & ~((owns ^ own_at) | seen)
    np.bitwise_and(ends(sites, own), firsts(_climbs(state, own) & free, own), out=words[: len(own)])
    if state.league.push:
        # Hidden units are too far away to be pushed.
        ways = cone(own, foes[:, None]) & seconds(_climbs(state, foes) & free, foes)[:, None]
        np.bitwise_or(ways[0], ways[1], out=words[2:])
    return words


def _union(planes: Planes) -> Planes:
    """Return one plane (B,) of those of one unit or two (U, B)."""
    both: Planes = planes[0] | planes[-1]
    return both


def _climbs(state: State, units: Planes) -> Planes:
    """Return planes: the cells, free or not, that units (.., B) can climb to from where they stand."""
    low = state.low
    climbs = _beyond(low[0], units)
    climbs &= low[2]
    climbs |= low[1]
    climbs |= _beyond(low[1], units) & low[3]
    return climbs


def _beyond(plane: Planes, units: Planes) -> Planes:
    """Return all bits for units that do not stand on the plane, none for those that do."""
    beyond = plane >> units
    beyond &= _ONE
    beyond -= _ONE
    return beyond


def _spread(flags: Planes) -> Planes:
    """Return all bits for 1, none for 0."""
    return flags * EVERY


def disqualify(state: State, b: int, seat: int) -> State:
    """Take a seat out of the match on one board. The next turn, which may be its own, shows what comes of it."""
    legal = state.legal.copy()
    if state.mover[b] == seat:
        legal[:, b] = 0
    return replace(seat_out(state, b, seat), legal=legal)
