"""Actions as numbers and masks, random actions, and the tables behind them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from games.wondev_woman import actions
from games.wondev_woman.actions import ACCEPT_DEFEAT, TEXTS, Action
from games.wondev_woman.board import pushable

words = st.lists(
    st.one_of(st.just(0), st.integers(0, 2**64 - 1), st.integers(0, 63).map(lambda bit: 1 << bit)),
    min_size=4,
    max_size=4,
).filter(lambda four: sum(word.bit_count() for word in four) < 256)


def columns(*boards: list[int]) -> np.ndarray:
    return np.array(boards, np.uint64).T.copy()


def members(board: list[int]) -> list[int]:
    """Return the numbers of the actions in the words of a board."""
    return [number for number in range(256) if board[number >> 6] >> (number & 63) & 1]


def test_numbers_are_in_the_order_of_the_protocol() -> None:
    assert len(TEXTS) == actions.ACTIONS
    assert sorted(TEXTS) == list(TEXTS)
    for number, text in enumerate(TEXTS):
        kind, unit, first, second = text.split()
        assert Action(kind, int(unit), first, second).number == number


@given(st.lists(words, min_size=1, max_size=9))
def test_masks_lines_and_counts(boards: list[list[int]]) -> None:
    mask = actions.mask(columns(*boards))
    for b, board in enumerate(boards):
        assert np.flatnonzero(mask[b]).tolist() == members(board)
        assert actions.lines(columns(board)) == [TEXTS[number] for number in members(board)]
        assert actions.count(columns(*boards))[b] == len(members(board))


@given(st.lists(words, min_size=1, max_size=9), st.floats(0, 1, exclude_max=True))
def test_a_fraction_picks_the_action_at_that_share_of_the_list(boards: list[list[int]], fraction: float) -> None:
    picked = actions.pick(columns(*boards), np.full(len(boards), fraction))
    for number, board in zip(picked.tolist(), boards, strict=True):
        legal = members(board)
        assert number == (legal[int(fraction * len(legal))] if legal else ACCEPT_DEFEAT)


def test_pushes_go_straight_on_or_to_one_side() -> None:
    assert pushable("N") == {"NW", "N", "NE"}
    assert pushable("NE") == {"N", "NE", "E"}
    assert pushable("W") == {"SW", "W", "NW"}
