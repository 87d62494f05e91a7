"""What a seat may do, by number: in an auction its bid, in a pick the panel.

In the Attack Chance a number is 26 * the panel + the panel to empty: an owned one, or the one just taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.game import Choices
from games.attack25.panels import PANELS, unpack
from games.attack25.rules import NOTHING, asked
from games.attack25.state import CHIPS, Bools, State

_NUMBERS = PANELS + 1


def legal(state: State) -> Bools:
    """Return (B, P, N)."""
    mask: Bools = _picks(state) if state.picking else np.arange(CHIPS + 1) <= state.chips.T[..., None]
    mask = mask & asked(state).T[..., None]
    return mask


def _picks(state: State) -> Bools:
    """Return (B, 1, N)."""
    takes = unpack(state.legal, state.boards).T.astype(np.bool_)
    if not state.chance:
        return takes[:, None]
    owned = unpack(np.bitwise_or.reduce(state.owned, axis=0), state.boards).T.astype(np.bool_)
    pairs = takes[..., None] & (owned[:, None] | np.eye(_NUMBERS, dtype=np.bool_))
    return pairs.reshape(state.boards, 1, -1)


def actions(state: State, choices: Choices) -> NDArray[np.int16]:
    """Return the actions (B, P, 2) that choices (B, P) mean."""
    pair = np.divmod(choices, _NUMBERS) if state.picking and state.chance else (choices, np.full_like(choices, NOTHING))
    return np.where(choices[..., None] < 0, NOTHING, np.stack(pair, axis=-1)).astype(np.int16)
