"""The rules of a turn of Smash the Code (CodinGame, 2016), for both seats at once.

1. The lines of skulls (garbage) that the opponent sent in the turn before fall, as far as they fit.
2. The pair is placed in any columns. A seat loses if it does not fit, or if the seat places nothing when asked.
3. The whole chain pops; skulls beside popped blocks disappear, too.
4. 70 points make a nuisance point, and six of these a line of skulls in the opponent's next turn; the rest is carried
   over.

After 200 turns the higher score wins.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from games.puyo.chain import resolve
from games.puyo.field import COLUMNS, SMASH, Bools, Field, Ints, rain
from games.puyo.state import TICKS, State, placed

LINE = 70 * COLUMNS
"""Number of points that make a line of skulls."""


def step(state: State, moves: Ints) -> State:
    """Return the state after one turn.

    ``moves`` (2, P, B) are the column of the axis, the first block of a pair, and the turn as in ``placements``. With a
    negative column a seat places nothing, and loses if it was asked.
    """
    playing = ~state.over
    placing = state.asked & (moves[0] >= 0)
    fields, fits = placed(state, skulls_fallen(state), placing, moves)
    fields, steps, score = _resolved(fields, placing & fits)
    dead = state.dead | (state.asked & ~(placing & fits))
    lines, carry = np.divmod(state.carry + score, LINE)
    tick = state.tick + playing
    return replace(
        state,
        fields=fields,
        index=state.index + placing,
        score=state.score + score,
        pending=np.where(playing, lines[::-1], state.pending),
        carry=carry,
        steps=np.where(playing, steps, state.steps),
        fallen=np.where(playing, state.pending * COLUMNS, state.fallen),
        dead=dead,
        tick=tick,
        over=state.over | (dead | state.out).any(axis=0) | (tick >= TICKS[SMASH]),
    )


def skulls_fallen(state: State) -> Field:
    """Return the fields (6, P, B) after the skulls of this turn have fallen."""
    return rain(SMASH, state.fields, np.where(state.over, 0, state.pending))


def _resolved(fields: Field, able: Bools) -> tuple[Field, NDArray[np.int64], NDArray[np.int64]]:
    """Let chains pop on the fields of able seats (P, B); return the fields, and (P, B) each: steps and scores."""
    fields = fields.copy()
    steps, score = np.zeros((2, *able.shape), np.int64)
    who = np.flatnonzero(able)
    flat = fields.reshape(COLUMNS, -1)
    chains = resolve(SMASH, flat.take(who, axis=1))
    flat[:, who] = chains.fields
    steps.reshape(-1)[who] = chains.chains
    score.reshape(-1)[who] = chains.score
    return fields, steps, score
