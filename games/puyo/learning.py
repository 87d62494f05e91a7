"""Observations for learning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.batch import own_first
from games.planes import stacked
from games.puyo.field import codes
from games.puyo.state import SEATS, State, preview
from games.puyo.tsu import rate


def observation(state: State, seat: int) -> NDArray[np.int32]:
    """Return planes (B, C, 13 or 12, 6): what the protocol of the ruleset tells. The seat comes before its opponent.

    2: the field of each seat, topmost row first: 0 for an empty cell, 1 for garbage, 2 and more for colours.

    Numbers in Tsu: 6 of each seat, its 3 pairs in colours from 1; score, pending, fixed, carry, all clear, step of the
    chain, each of both seats; tick and rate. In Smash the Code: 16, the 8 pairs of the seat; the scores of both seats,
    but none in the contest.
    """
    order = own_first(SEATS, seat)
    fields = codes(state.rules, state.fields[:, order].reshape(len(state.fields), -1))
    fields = fields.reshape(SEATS, -1, *fields.shape[1:]).transpose(0, 2, 3, 1)
    pairs = preview(state)
    numbers: list[NDArray[Any]]
    if state.smash:
        numbers = [pairs[:, :, seat], *([] if state.contest else [state.score[order]])]
    else:
        known = (state.score, state.pending, state.fixed, state.carry, state.all_clear, state.chain)
        numbers = [*(pairs[:, :, each] for each in order), *(each[order] for each in known)]
        numbers += [state.tick, rate(state.tick)]
    return stacked(fields.shape[1:3], [fields], numbers)
