"""A tick of versus Puyo Puyo Tsu, both seats at once.

1. Who is free places the present pair (all have the same sequence, each goes through it for himself).
2. Where groups stand, one step of a chain pops. While groups remain after it, the seat is in a chain and not asked.
3. Points become garbage for the other, see ``RATES``; it cancels own garbage first: pending, then fixed. If both send,
   the smaller attack is taken off both. The rest is pending at the other until the chain is over.
4. On who is settled, not in a chain, fixed garbage falls, ``FALL_MAX`` at a time: whole lines, and an odd rest by the
   next permutation of the columns.
5. When a chain is over, what the other has pending becomes fixed: he moves once more before it falls.
6. A chain that leaves nothing is an all clear: the first step of the next one sends ``ALL_CLEAR`` more.
7. Who is settled with a puyo at the spawn cell, column 3 row 12, is dead.

After Puyo Puyo Tsu as the puyoai server, Puyo Nexus and PuyoVS play it, without time pressure and points for falling.
One dead: the other wins; both: a draw. After 400 ticks the higher score wins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from games.puyo.chain import points, pop, popping
from games.puyo.field import TSU, VISIBLE_ROWS, Bools, Field, Ints, rain
from games.puyo.placements import SPAWN
from games.puyo.state import TICKS, State, placed

RATE = 70
"""Points that make one garbage puyo."""
RATES = np.array([RATE, 52, 35, 26, 17, 13, 8, 6, 4, 3, 2, 1])
"""The same in a long match: the next one every ``MARGIN_TICKS`` from ``MARGIN_START`` on, the last one for ever."""
MARGIN_START = 128
MARGIN_TICKS = 8
ALL_CLEAR = 30
FALL_MAX = 30


def rate(tick: Ints) -> Ints:
    """Return how many points make one garbage puyo in a tick."""
    return RATES.take((tick - MARGIN_START + MARGIN_TICKS) // MARGIN_TICKS, mode="clip")


def step(state: State, moves: Ints) -> State:
    """Play one tick.

    Args:
        state: before it.
        moves: (2, P, B): column of the axis and turn; a negative column places nothing.
    """
    playing = ~state.over
    placing = state.asked & (moves[0] >= 0)
    fields, _ = placed(state, state.fields, placing, moves)
    turn = _pop(state, fields, placing | (playing & ~state.out & (state.chain > 0)))
    finished = (turn.steps > 0) & ~turn.goes_on
    settled = playing & ~turn.goes_on
    pending, fixed, carry = _exchanged(state, turn)
    fall = np.where(settled, np.minimum(fixed, FALL_MAX), 0)
    fields = _rained(state, turn.fields, fall)
    over_there = finished[::-1]
    dead = state.dead | (settled & (fields[SPAWN] & _DEATH != 0))
    tick = state.tick + playing
    return replace(
        state,
        fields=fields,
        index=state.index + placing,
        score=state.score + turn.score,
        pending=np.where(over_there, 0, pending),
        fixed=fixed - fall + np.where(over_there, pending, 0),
        carry=carry,
        all_clear=(state.all_clear & (turn.steps != 1)) | (finished & ~turn.fields.any(axis=0)),
        chain=np.where(playing, turn.steps * turn.goes_on, state.chain),
        steps=np.where(playing, turn.steps, state.steps),
        fallen=np.where(playing, fall, state.fallen),
        falls=state.falls + (fall % len(fields) > 0),
        dead=dead,
        tick=tick,
        over=state.over | (dead | state.out).any(axis=0) | (tick >= TICKS[TSU]),
    )


_DEATH = TSU.cell << TSU.bits * np.uint64(VISIBLE_ROWS - 1)


@dataclass(frozen=True, slots=True)
class _Popped:
    """What popped in one tick."""

    fields: Field
    """(6, P, B)"""
    steps: NDArray[np.int64]
    """(P, B): number of the step in its chain, 0: nothing popped."""
    score: NDArray[np.int64]
    """(P, B)"""
    goes_on: Bools
    """(P, B): more will pop."""


def _pop(state: State, fields: Field, able: Bools) -> _Popped:
    """Do one step of every chain of an able seat (P, B)."""
    steps, score = np.zeros((2, *able.shape), np.int64)
    goes_on = np.zeros(able.shape, np.bool_)
    flat = fields.reshape(len(fields), -1)
    popped = popping(TSU, flat)
    going = np.flatnonzero((np.bitwise_or.reduce(popped, axis=0) != 0) & able.reshape(-1))
    if going.size:
        popped = popped.take(going, axis=1)
        number = state.chain.reshape(-1).take(going) + 1
        after = pop(TSU, flat.take(going, axis=1), popped)
        fields = fields.copy()
        fields.reshape(len(fields), -1)[:, going] = after
        steps.reshape(-1)[going] = number
        score.reshape(-1)[going] = points(TSU, popped, number).score
        goes_on.reshape(-1)[going] = popping(TSU, after).any(axis=0)
    return _Popped(fields, steps, score, goes_on)


def _exchanged(state: State, turn: _Popped) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return pending and fixed garbage and carried points (P, B) after the attacks of this tick."""
    if not turn.steps.any():  # most ticks of a single match
        return state.pending, state.fixed, state.carry
    attack, carry = _attacks(state, turn)
    return *_offset(state, attack), carry


def _attacks(state: State, turn: _Popped) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (P, B) each: garbage sent in this tick, points kept for later."""
    stepped = turn.steps > 0
    worth, kept = np.divmod(state.carry + turn.score, rate(state.tick))
    bonus = ALL_CLEAR * (state.all_clear & (turn.steps == 1))
    return np.where(stepped, worth + bonus, 0), np.where(stepped, kept, state.carry)


def _offset(state: State, attack: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pending and fixed garbage (P, B) after the attacks."""
    against_pending = np.minimum(attack, state.pending)
    against_fixed = np.minimum(attack - against_pending, state.fixed)
    rest = attack - against_pending - against_fixed
    rest = rest - rest.min(axis=0)
    return state.pending - against_pending + rest[::-1], state.fixed - against_fixed


def _rained(state: State, fields: Field, fall: NDArray[np.int64]) -> Field:
    """Let garbage (P, B) fall."""
    if not fall.any():
        return fields
    lines, rest = np.divmod(fall, len(fields))
    permutation = state.falls % len(state.supply.turns)
    turns = np.moveaxis(state.supply.turns[permutation, :, np.arange(state.over.size)], -1, 0)
    return rain(TSU, fields, lines + (turns < rest))
