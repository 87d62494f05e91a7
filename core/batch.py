"""What states of all games have in common: a batch of boards along the last axis of arrays, and the seats on each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import msgspec
import numpy as np
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

PartT = TypeVar("PartT")


def seat_out(state: PartT, b: int, seat: int) -> PartT:
    """Return the state, a msgspec struct, with a seat of board b marked in its field ``out`` (P, B)."""
    struct: Any = state
    out = struct.out.copy()
    out[seat, b] = True
    return cast(PartT, replace(struct, out=out))


def own_first(seats: int, seat: int) -> list[int]:
    """Return the numbers of all seats in the order of observations: a seat's own, then the others.

    Seat 0 and the own seat change places, all others keep theirs.
    """
    order = list(range(seats))
    order[0], order[seat] = seat, 0
    return order


def select_boards(part: PartT, boards: slice | Sequence[int] | NDArray[np.integer[Any]]) -> PartT:
    """Return a state, or a part of one, with some of its boards.

    Boards are the last axis of arrays, also of those in tuples and structs; values of other types are the same for all
    boards and are returned as they are. A slice of boards gives views of the arrays, numbers of boards give copies.
    """
    some: Any = part
    if isinstance(part, np.ndarray):
        some = part[..., boards] if isinstance(boards, slice) else part.take(boards, axis=-1)
    elif isinstance(part, tuple):
        some = tuple(select_boards(each, boards) for each in part)
    elif isinstance(part, msgspec.Struct):
        some = replace(part, **{name: select_boards(value, boards) for name, value in asdict(part).items()})
    return cast(PartT, some)
