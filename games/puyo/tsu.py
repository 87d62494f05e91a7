"""The rules of a tick of Puyo Puyo Tsu, for both seats at once.

1. A seat whose chain does not run places its present pair. Both seats get the same sequence of pairs.
2. If a field has groups, one step of a chain pops. If groups remain, the chain runs on, and the seat is not asked.
3. Points become garbage for the opponent, see ``RATES``. It cancels the seat's own garbage first, pending before fixed.
   If both seats send garbage, the smaller amount is subtracted from both. The rest is pending until the chain ends.
4. Fixed garbage falls on a seat whose chain does not run, at most ``FALL_MAX`` at a time: whole lines, and a rest in
   the order of the next permutation of the columns.
5. When a chain ends, the opponent's pending garbage becomes fixed; the opponent places one more pair before it falls.
6. A chain that empties the field is an all clear: the first step of the seat's next chain sends ``ALL_CLEAR`` more.
7. A seat whose chain does not run is dead if a puyo lies at the spawn cell, column 3, row 12.

After Puyo Puyo Tsu as the puyoai server, Puyo Nexus and PuyoVS play it, without time pressure and points for falling.
If one seat is dead, the other wins; if both are, it is a draw. After 400 ticks the higher score wins.
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
"""Number of points that make one garbage puyo, at the start of a match."""
RATES = np.array([RATE, 52, 35, 26, 17, 13, 8, 6, 4, 3, 2, 1])
"""The rates of a long match: the next one from ``MARGIN_START`` on, and again after each ``MARGIN_TICKS``."""
MARGIN_START = 128
MARGIN_TICKS = 8
ALL_CLEAR = 30
"""Number of garbage puyos that an all clear adds."""
FALL_MAX = 30
"""The most garbage puyos that fall at a time."""


def rate(tick: Ints) -> Ints:
    """Return the number of points that make one garbage puyo in a tick."""
    return RATES.take((tick - MARGIN_START + MARGIN_TICKS) // MARGIN_TICKS, mode="clip")


def step(state: State, moves: Ints) -> State:
    """Return the state after one tick.

    ``moves`` (2, P, B) are the column of the axis and the turn; with a negative column a seat places nothing.
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
    opponent_finished = finished[::-1]
    dead = state.dead | (settled & (fields[SPAWN] & _DEATH != 0))
    tick = state.tick + playing
    return replace(
        state,
        fields=fields,
        index=state.index + placing,
        score=state.score + turn.score,
        pending=np.where(opponent_finished, 0, pending),
        fixed=fixed - fall + np.where(opponent_finished, pending, 0),
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
    """What one tick has popped on all fields."""

    fields: Field
    """(6, P, B): the fields after popping."""
    steps: NDArray[np.int64]
    """(P, B): number of the step in its chain; 0 if nothing popped."""
    score: NDArray[np.int64]
    """(P, B): score of the step."""
    goes_on: Bools
    """(P, B): whether the chain runs on."""


def _pop(state: State, fields: Field, able: Bools) -> _Popped:
    """Let one step of the chain of each able seat (P, B) pop."""
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
    """Return pending garbage, fixed garbage and carried points, (P, B) each, after the attacks of this tick."""
    if not turn.steps.any():  # as in most ticks of a single match
        return state.pending, state.fixed, state.carry
    stepped = turn.steps > 0
    worth, carry = np.divmod(state.carry + turn.score, rate(state.tick))
    bonus = ALL_CLEAR * (state.all_clear & (turn.steps == 1))
    attack, carry = np.where(stepped, worth + bonus, 0), np.where(stepped, carry, state.carry)
    against_pending = np.minimum(attack, state.pending)
    against_fixed = np.minimum(attack - against_pending, state.fixed)
    rest = attack - against_pending - against_fixed
    rest = rest - rest.min(axis=0)
    return *(state.pending - against_pending + rest[::-1], state.fixed - against_fixed), carry


def _rained(state: State, fields: Field, fall: NDArray[np.int64]) -> Field:
    """Return the fields after garbage has fallen; ``fall`` (P, B) is its number of puyos."""
    if not fall.any():
        return fields
    lines, rest = np.divmod(fall, len(fields))
    permutation = state.falls % len(state.supply.turns)
    turns = np.moveaxis(state.supply.turns[permutation, :, np.arange(state.over.size)], -1, 0)
    return rain(TSU, fields, lines + (turns < rest))
