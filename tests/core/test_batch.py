"""States of many boards: marks of seats that are out, the order of seats, and selections of boards."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from core.batch import own_first, seat_out, select_boards
from core.bits import selected


class Part(msgspec.Struct, frozen=True):
    walls: NDArray[np.int64]  # (2, B)


class State(msgspec.Struct, frozen=True):
    out: NDArray[np.bool_]  # (P, B)
    parts: tuple[Part, ...]
    size: int = 5


def state() -> State:
    return State(np.zeros((3, 4), bool), (Part(np.arange(8).reshape(2, 4)), Part(np.arange(8).reshape(2, 4) * 10)))


def test_a_seat_that_is_out_is_marked_in_a_copy() -> None:
    before = state()
    after = seat_out(before, 2, 1)
    assert np.argwhere(after.out).tolist() == [[1, 2]]
    assert not before.out.any()
    assert after.parts is before.parts


@pytest.mark.parametrize(("seat", "order"), [(0, [0, 1, 2, 3]), (2, [2, 1, 0, 3]), (3, [3, 1, 2, 0])])
def test_each_seat_sees_itself_first(seat: int, order: list[int]) -> None:
    assert own_first(4, seat) == order


@pytest.mark.parametrize("boards", [[2, 0, 2], np.array([2, 0, 2]), slice(1, 3), []])
def test_boards_are_selected_in_all_parts_of_a_state(boards: Any) -> None:
    whole, some = state(), select_boards(state(), boards)
    numbers = np.arange(4)[boards if isinstance(boards, slice) else np.array(boards, int)]
    assert np.array_equal(some.out, whole.out[:, numbers])
    assert [part.walls.tolist() for part in some.parts] == [part.walls[:, numbers].tolist() for part in whole.parts]
    assert some.size == whole.size


def test_a_slice_gives_views_and_numbers_give_copies() -> None:
    whole = state()
    assert np.shares_memory(select_boards(whole, slice(0, 2)).out, whole.out)
    assert not np.shares_memory(select_boards(whole, [0, 1]).out, whole.out)


def test_set_bits_are_found_by_their_rank() -> None:
    words = np.random.default_rng(3).integers(0, 2**64, 500, np.uint64, endpoint=False)
    words[:3] = [1, 1 << 63, 2**64 - 1]
    for word in words.tolist():
        places = [place for place in range(64) if word >> place & 1]
        found = selected(np.full(len(places), word, np.uint64), np.arange(len(places)))
        assert found.tolist() == places
