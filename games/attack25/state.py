"""The state of a batch of Attack 25 boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.batch import select_boards
from games.attack25.panels import Plane, pack, unpack

Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

COLOURS = "RGWB"
"""The letters of the colours of seats 0 to 3: red, green, white, blue."""
CHIPS = 100
TAKES = 26
"""Rounds of a match: one for each of the 25 panels, and one more for the panel that the Attack Chance empties."""
CHANCE = 20
"""Number of takes before the Attack Chance, when five panels are empty."""
FAULTS_MAX = 3
"""Number of invalid answers after which a seat is not asked any more."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards of P seats, all in the same turn; K = ceil(B / 8). The arrays are never changed.

    States are compared by identity, so that functions of a state can be cached.
    """

    auction: bool
    """Whether the mode is bid: rounds have two turns, bids and the winner's pick. In order mode, only the pick."""
    boards: int
    """The number of boards, B."""
    played: int
    """Number of turns played."""
    bags: NDArray[np.int8]
    """(N, P, B): permutations of the seats, drawn from the seed: the bags or, in bid mode, the first tie order."""
    order: NDArray[np.int8]
    """(P, B): the seats as they win ties; in order mode the present bag."""
    owned: Plane
    """(P, 26, K): the plane of each seat's panels."""
    chips: NDArray[np.int16]
    """(P, B): the chips of each seat."""
    bids: NDArray[np.int16]
    """(P, B): the bids of the last auction."""
    mover: NDArray[np.int8]
    """(B,): the seat that is to pick; during an auction, the seat that picked last."""
    legal: Plane
    """(26, K): the panels that the mover may take; during an auction, those of the last pick."""
    classes: Plane
    """(4, K): for each ``Class``, the boards on which the panels of ``legal`` belong to it."""
    taken: NDArray[np.int8]
    """(B,): the panel taken last, 0: none yet."""
    taker: NDArray[np.int8]
    """(B,): the seat that took the panel ``taken``."""
    erased: NDArray[np.int8]
    """(B,): the panel emptied with the last take, 0: none."""
    faults: NDArray[np.int8]
    """(P, B): number of invalid answers."""
    out: Bools
    """(P, B): whether each seat is disqualified."""

    @property
    def takes(self) -> int:
        """Number of panels taken so far."""
        return self.played // 2 if self.auction else self.played

    @property
    def over(self) -> bool:
        """Whether all rounds have been played."""
        return self.takes == TAKES

    @property
    def picking(self) -> bool:
        """Whether the mover is to pick; otherwise the seats are to bid, or the match is over."""
        return not self.over and (self.played % 2 == 1 or not self.auction)

    @property
    def chance(self) -> bool:
        """Whether this round is the Attack Chance."""
        return self.takes == CHANCE

    @property
    def silent(self) -> Bools:
        """(P, B): whether each seat is silent: it is not asked, bids 0, and the rules pick for it."""
        return self.out | (self.faults >= FAULTS_MAX)


def taken(state: State, boards: Sequence[int] | Ints) -> State:
    """Return a batch of the boards with these numbers, in their order."""
    planes = state.owned, state.legal, state.classes
    owned, legal, classes = (unpack(plane, state.boards) for plane in planes)
    some = select_boards(replace(state, owned=owned, legal=legal, classes=classes), boards)
    owned, legal, classes = map(pack, (some.owned, some.legal, some.classes))
    return replace(some, boards=len(boards), owned=owned, legal=legal, classes=classes)
