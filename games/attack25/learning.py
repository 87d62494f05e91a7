"""Observations for learning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.batch import own_first
from games.attack25.panels import unpack
from games.attack25.state import State
from games.planes import stacked

_SIDE = 5


def observation(state: State, seat: int) -> NDArray[np.int32]:
    """Return planes (B, C, 5, 5). P colours come in the order of ``own_first``.

    P: panels of each colour; 1: panels that the seat may take now, if it is to pick.

    Numbers: P: chips; P: places from 1 as they win ties (order mode: in the present bag); P: bids of the last round;
    panel taken last, its colour from 1, panel emptied with it, each 0 if there was none; the round; whether it is the
    Attack Chance; whether the turn is a pick. After an auction its bids, and the ties of the next one, are hidden until
    the next round begins: they are 0, and chips are those before the auction.
    """
    order = own_first(len(state.owned), seat)
    owned = unpack(state.owned[order], state.boards)[:, 1:]
    takes = unpack(state.legal, state.boards)[1:] * (state.picking & (state.mover == seat))
    cells = [array.reshape(-1, _SIDE, _SIDE, state.boards) for array in (owned, takes)]
    chips, places, bids = state.chips, state.order.argsort(axis=0) + 1, state.bids
    if state.auction and state.picking:
        winner = np.arange(len(order))[:, None] == state.mover
        chips, places, bids = chips + winner * bids.max(axis=0), places * 0, bids * 0
    taker = np.argsort(order)[state.taker] + 1
    facts = min(state.takes + 1, 26), state.chance, state.picking
    return stacked(
        (_SIDE, _SIDE),
        cells,
        [
            *(each[order] for each in (chips, places, bids)),
            state.taken,
            np.where(state.taken > 0, taker, 0),
            state.erased,
            *(np.full(state.boards, fact) for fact in facts),
        ],
    )
