"""Tests of leagues: placing, promotion, demotion and the choice of league gates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.leagues import GATES_MAX, NAMES, league_gates_choose, league_moved, league_name, league_placed

BORDERS = [1_000.0, 1_500.0, 1_900.0]


@pytest.mark.parametrize(
    ("current", "rating", "interval", "after"),
    [
        (0, 1_101, 400, 1),
        (0, 1_099, 400, 0),
        (0, 2_000, 50, 3),
        (1, 1_560, 50, 2),
        (1, 1_540, 50, 1),
        (2, 1_460, 50, 2),
        (2, 1_440, 50, 1),
        (3, 900, 50, 0),
        (3, 1_801, 5_000, 3),
        (3, 1_799, 5_000, 2),
    ],
)
def test_an_interval_moves_a_bot_by_a_hundred_points_at_most(
    current: int, rating: float, interval: float, after: int
) -> None:
    assert league_moved(current=current, rating=rating, interval=interval, borders=BORDERS) == after


@pytest.mark.parametrize(("rating", "league"), [(999, 0), (1_000, 0), (1_001, 1), (1_700, 2), (2_204, 3)])
def test_a_bot_is_placed_above_every_league_gate_with_a_lower_rating(rating: float, league: int) -> None:
    assert league_placed(rating=rating, borders=BORDERS) == league


@given(
    st.integers(0, 3), st.floats(0, 3_000), st.floats(0, 1_000), st.lists(st.floats(0, 3_000), max_size=3).map(sorted)
)
def test_a_second_fit_with_equal_ratings_moves_no_bot(
    current: int, rating: float, interval: float, borders: list[float]
) -> None:
    once = league_moved(current=current, rating=rating, interval=interval, borders=borders)
    assert 0 <= once <= len(borders)
    assert league_moved(current=once, rating=rating, interval=interval, borders=borders) == once


@given(st.floats(0, 3_000), st.floats(1, 100))
def test_a_rating_that_fluctuates_does_not_move_a_bot_repeatedly(rating: float, interval: float) -> None:
    up = league_moved(current=0, rating=rating, interval=interval, borders=BORDERS)
    down = league_moved(current=up, rating=rating - interval, interval=interval, borders=BORDERS)
    assert down == up


@pytest.mark.parametrize(
    ("declared", "bosses"),
    [
        ({}, ""),
        ({"a": 5}, "a"),
        ({"b": 2, "a": 1}, "ab"),
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "ace"),
        ({"d": 4, "c": 3, "b": 2, "a": 1}, "acd"),
    ],
)
def test_league_gates_lie_evenly_between_weakest_and_strongest(declared: dict[str, float], bosses: str) -> None:
    assert league_gates_choose(declared) == list(bosses)


def test_every_league_has_a_name() -> None:
    assert [league_name(league) for league in range(GATES_MAX + 1)] == list(NAMES)
    assert league_name(None) == ""
