"""The choices of a seat as numbers: in an auction the bid, in a pick the panel.

In the Attack Chance the number is 26 * panel to take + panel to empty, which is an owned one or the one just taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.game import Choices
from games.attack25.panels import PANELS, unpack
from games.attack25.rules import NOTHING, to_move
from games.attack25.state import CHIPS, Bools, State

_NUMBERS = PANELS + 1
NUMBERS_MAX = _NUMBERS**2
"""The number of choices in the Attack Chance."""
_BIDS = np.arange(CHIPS + 1, dtype=np.int16)


def legal(state: State) -> Bools:
    """Return (B, P, N): whether each seat has each choice."""
    mask: Bools = _picks(state) if state.picking else state.chips.T[..., None] >= _BIDS
    mask = mask & to_move(state)[..., None]
    return mask


def _picks(state: State) -> Bools:
    """Return (B, 1, N): whether a mover has each choice of a pick."""
    takes = unpack(state.legal, state.boards).T.astype(np.bool_)
    if not state.chance:
        return takes[:, None]
    owned = unpack(np.bitwise_or.reduce(state.owned, axis=0), state.boards).T.astype(np.bool_)
    pairs = takes[..., None] & (owned[:, None] | np.eye(_NUMBERS, dtype=np.bool_))
    return pairs.reshape(state.boards, 1, -1)


def lines(state: State, choices: Sequence[int]) -> list[str]:
    """Return the answers of the protocol that choices stand for."""
    if state.picking and state.chance:
        return [f"{number // _NUMBERS} {number % _NUMBERS}" for number in choices]
    return [*map(str, choices)]


def actions(state: State, choices: Choices) -> NDArray[np.int16]:
    """Return the actions (B, P, 2) that choices (B, P) stand for."""
    pair = np.divmod(choices, _NUMBERS) if state.picking and state.chance else (choices, np.full_like(choices, NOTHING))
    return np.where(choices[..., None] < 0, NOTHING, np.stack(pair, axis=-1)).astype(np.int16)
