"""A turn of Smash the Code (CodinGame, 2016), both seats at once.

1. The lines of skulls that the other sent in the turn before fall, as far as there is room.
2. The pair is placed in any columns; who has no room for it, or places nothing when asked, loses.
3. The whole chain pops; skulls beside popped blocks go, too.
4. Each 70 points are a nuisance point, fractions are kept; six of them are a line of skulls for the other's next turn.

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
"""Points that make a line of skulls."""


def step(state: State, moves: Ints) -> State:
    """Play one turn.

    Args:
        state: before it.
        moves: (2, P, B): column of ``a``, and its turn as in ``placements``; a negative column places nothing,
            which loses.
    """
    playing = ~state.over
    placing = state.asked & (moves[0] >= 0)
    fields, room = placed(state, skulls_fallen(state), placing, moves)
    fields, steps, score = _resolved(fields, placing & room)
    dead = state.dead | (state.asked & ~(placing & room))
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
    """Return the fields (6, P, B) with the skulls of this turn."""
    return rain(SMASH, state.fields, np.where(state.over, 0, state.pending))


def _resolved(fields: Field, able: Bools) -> tuple[Field, NDArray[np.int64], NDArray[np.int64]]:
    """Let the chains of able seats (P, B) pop; return the fields, and (P, B) steps and scores."""
    fields = fields.copy()
    steps, score = np.zeros((2, *able.shape), np.int64)
    who = np.flatnonzero(able)
    flat = fields.reshape(COLUMNS, -1)
    chains = resolve(SMASH, flat.take(who, axis=1))
    flat[:, who] = chains.fields
    steps.reshape(-1)[who] = chains.chains
    score.reshape(-1)[who] = chains.score
    return fields, steps, score
