"""What a batch of Attack 25 boards is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.game import select_boards
from games.attack25.panels import Plane, pack, unpack

Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

COLOURS = "RGWB"
"""By seat: red, green, white, blue."""
CHIPS = 100
TAKES = 26
"""Rounds of a match: 25 panels and the one that the Attack Chance empties."""
CHANCE = 20
"""Takes before the Attack Chance: five panels are empty."""
FAULTS_MAX = 3
"""Invalid answers after which a seat is not asked any more."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B boards of P seats, all in the same turn; K = ceil(B / 8). The arrays are never changed.

    A state equals none but itself, so that what is made of it can be kept.
    """

    auction: bool
    """Bid mode: rounds have two turns, bids and the winner's pick. Order mode: the pick alone."""
    boards: int
    """B."""
    played: int
    """Turns."""
    bags: NDArray[np.int8]
    """(N, P, B): orders of the seats, drawn from the seed: who picks (order mode), or the first tie order (N = 1)."""
    order: NDArray[np.int8]
    """(P, B): the seats as they win ties; in order mode the present bag."""
    owned: Plane
    """(P, 26, K): the plane of each seat's panels."""
    chips: NDArray[np.int16]
    """(P, B)"""
    bids: NDArray[np.int16]
    """(P, B): of the last auction."""
    mover: NDArray[np.int8]
    """(B,): who picks or, while there is no pick to be made, picked last."""
    legal: Plane
    """(26, K): what the mover may take, or could when it did."""
    classes: Plane
    """(4, K): by ``Class``, on which boards these panels are of it."""
    taken: NDArray[np.int8]
    """(B,): the panel taken last, 0: none yet."""
    taker: NDArray[np.int8]
    """(B,): who took it."""
    erased: NDArray[np.int8]
    """(B,): the panel emptied with the last take, 0: none."""
    faults: NDArray[np.int8]
    """(P, B): invalid answers."""
    out: Bools
    """(P, B): disqualified."""

    def take(self, boards: Sequence[int] | Ints) -> State:
        """Return a batch of some of the boards."""
        planes = self.owned, self.legal, self.classes
        owned, legal, classes = (unpack(plane, self.boards) for plane in planes)
        some = select_boards(replace(self, owned=owned, legal=legal, classes=classes), boards)
        owned, legal, classes = map(pack, (some.owned, some.legal, some.classes))
        return replace(some, boards=len(boards), owned=owned, legal=legal, classes=classes)

    @property
    def takes(self) -> int:
        """How many panels have been taken."""
        return self.played // 2 if self.auction else self.played

    @property
    def over(self) -> bool:
        """All rounds have been played."""
        return self.takes == TAKES

    @property
    def picking(self) -> bool:
        """The mover is to take a panel; else the seats are to bid, or it is over."""
        return not self.over and (self.played % 2 == 1 or not self.auction)

    @property
    def chance(self) -> bool:
        """This round is the Attack Chance."""
        return self.takes == CHANCE

    @property
    def silent(self) -> Bools:
        """(P, B): seats that are not asked any more: they bid 0 and take what is left to them by the rules."""
        return self.out | (self.faults >= FAULTS_MAX)
