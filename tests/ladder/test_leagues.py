"""Tests of leagues: entering, promotion, demotion, their order, and the choice of league gates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.leagues import (
    GATES_MAX,
    NAMES,
    Ranked,
    league_gates_choose,
    league_is_sure,
    league_name,
    leagues_of,
)

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
    assert leagues_of(bots=[Ranked(rating, interval, current)], borders=BORDERS) == [after]


@pytest.mark.parametrize(("rating", "league"), [(999, 0), (1_000, 0), (1_001, 1), (1_700, 2), (2_204, 3)])
def test_a_bot_that_was_in_no_league_enters_the_one_above_the_gates_below_it(rating: float, league: int) -> None:
    assert leagues_of(bots=[Ranked(rating, 20.0, None)], borders=BORDERS) == [league]


@pytest.mark.parametrize(
    ("rating", "interval", "games", "sure"),
    [
        (1_510, 50, 20, True),
        (1_510, 50, 19, False),
        (1_510, 51, 500, False),
        (1_561, 60, 20, True),
        (1_440, 60, 20, False),
        (2_001, 5_000, 20, True),
        (2_000, 5_000, 500, False),
    ],
)
def test_a_bot_enters_a_league_with_a_narrow_interval_or_one_without_a_border_in_it(
    rating: float, interval: float, games: int, sure: bool
) -> None:
    assert league_is_sure(bot=Ranked(rating, interval, None), games=games, borders=BORDERS) is sure


def test_who_stands_above_a_member_of_a_league_is_no_lower() -> None:
    """The border runs where the fewest bots change; of equal places, at the gate's."""
    members, other = [Ranked(1_540, 60, 1), Ranked(1_530, 60, 1)], Ranked(1_550, 60, 0)
    assert leagues_of(bots=[other, *members], borders=[1_500.0]) == [1, 1, 1]
    others, member = [Ranked(1_550, 60, 0), Ranked(1_545, 60, 0)], Ranked(1_540, 60, 1)
    assert leagues_of(bots=[*others, member], borders=[1_500.0]) == [0, 0, 0]
    gate, below = Ranked(1_500, 20, None), [Ranked(1_480, 60, 1), Ranked(1_470, 60, 0)]
    assert leagues_of(bots=[gate, *below], borders=[1_500.0]) == [1, 1, 0], "a border may pass its gate"


rated = st.tuples(st.floats(0, 3_000), st.floats(0, 1_000), st.none() | st.integers(0, 3))
boards = st.lists(rated, max_size=25).map(lambda rows: [Ranked(*row) for row in sorted(rows, key=lambda row: -row[0])])
gates = st.lists(st.floats(0, 3_000), max_size=3).map(sorted)


@given(boards, gates)
def test_leagues_follow_the_order_of_the_board_and_what_is_sure(bots: list[Ranked], borders: list[float]) -> None:
    leagues = leagues_of(bots=bots, borders=borders)
    assert leagues == sorted(leagues, reverse=True)
    for bot, league in zip(bots, leagues, strict=True):
        assert league >= sum(border < bot.rating - bot.margin for border in borders)
        assert league <= sum(border <= bot.rating + bot.margin for border in borders)


@given(boards, gates)
def test_a_second_fit_with_equal_ratings_moves_no_bot(bots: list[Ranked], borders: list[float]) -> None:
    once = leagues_of(bots=bots, borders=borders)
    again = [Ranked(bot.rating, bot.interval, league) for bot, league in zip(bots, once, strict=True)]
    assert leagues_of(bots=again, borders=borders) == once


@given(boards, st.floats(0, 3_000))
def test_no_other_border_moves_fewer_bots(bots: list[Ranked], border: float) -> None:
    def moved_at(size: int) -> int:
        return sum(bot.league is not None and (bot.league > 0) != (place < size) for place, bot in enumerate(bots))

    found = sum(leagues_of(bots=bots, borders=[border]))
    for size in range(len(bots) + 1):
        allowed = all(
            (place < size or bot.rating - bot.margin <= border) and (place >= size or bot.rating + bot.margin >= border)
            for place, bot in enumerate(bots)
        )
        assert not allowed or moved_at(found) <= moved_at(size)


@given(st.floats(0, 3_000), st.floats(1, 100))
def test_a_rating_that_fluctuates_does_not_move_a_bot_repeatedly(rating: float, interval: float) -> None:
    (up,) = leagues_of(bots=[Ranked(rating, interval, 0)], borders=BORDERS)
    (down,) = leagues_of(bots=[Ranked(rating - interval, interval, up)], borders=BORDERS)
    assert down == up


def test_neighbours_that_change_places_at_a_border_settle_in_one_league() -> None:
    """Two bots near a gate pass each other with every fit, and one of them moves once."""
    leagues, moves = {"one": 1, "other": 0}, 0
    for swing in (5, -5) * 20:
        ratings = {"one": 1_500.0 + swing, "other": 1_500.0 - swing}
        order = sorted(ratings, key=lambda name: -ratings[name])
        found = leagues_of(bots=[Ranked(ratings[name], 50, leagues[name]) for name in order], borders=[1_500.0])
        moves += sum(leagues[name] != league for name, league in zip(order, found, strict=True))
        leagues = dict(zip(order, found, strict=True))
    assert moves == 1


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
