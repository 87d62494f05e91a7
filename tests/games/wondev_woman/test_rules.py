"""Invariants of random matches, the fog, the end of a match, and the places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.game import BadOptions
from games.registry import game_named
from games.wondev_woman import State, actions, rules, view
from games.wondev_woman.actions import ACCEPT_DEFEAT
from tests.games.wondev_woman import plain
from tests.games.wondev_woman.positions import board, boards, state_of

GAME = game_named("wondev_woman")


@settings(max_examples=300)
@given(st.data())
def test_questions_do_not_depend_on_hidden_units(data: st.DataObject) -> None:
    """Moving a hidden unit to another hidden cell of any height changes no line of the question."""
    here = data.draw(boards(st.just(3), crowded=data.draw(st.booleans())))
    seat = data.draw(st.sampled_from((0, 1)))
    foes = here.units[1 - seat]

    def hidden(cell: tuple[int, int]) -> bool:
        return all(max(abs(x - cell[0]), abs(y - cell[1])) > 1 for x, y in here.units[seat])

    lurking = [index for index, foe in enumerate(foes) if hidden(foe)]
    shelters = [cell for cell, height in here.heights.items() if hidden(cell) and height <= 3 and cell not in foes]
    assume(lurking and shelters)
    sent = GAME.observe(state_of(here), 0, seat)
    for index in lurking:
        for shelter in shelters:
            moved = tuple(shelter if at == index else foe for at, foe in enumerate(foes))
            units = (here.units[0], moved) if seat == 0 else (moved, here.units[1])
            there = plain.Board(3, here.heights, units, here.points, here.out, here.ply)
            assert GAME.observe(state_of(there), 0, seat) == sent


@settings(max_examples=50)
@given(boards(st.just(3), crowded=True), st.integers(0, 9), st.integers(0, 9))
def test_questions_have_neither_points_nor_rounds_nor_defeat(here: plain.Board, first: int, rounds: int) -> None:
    there = plain.Board(3, here.heights, here.units, (first, 9), (False, True), 2 * rounds)
    for seat in (0, 1):
        assert GAME.observe(state_of(there), 0, seat) == GAME.observe(state_of(here), 0, seat)


FLAT = ["00000"] * 5


def test_a_hidden_unit_cancels_a_build_and_the_move_still_scores() -> None:
    state = state_of(board(3, ["00000", "03000", "20000", "00000", "00000"], [(0, 2), (4, 4), (2, 0), (4, 0)]))
    after = rules.step(state, GAME.parse(state, 0, 0, ["MOVE&BUILD 0 NE NE"])[None])
    assert view.rows(after, 0) == view.rows(state, 0)
    assert view.places(after, 0)[0] == [(1, 1), (4, 4)]
    assert after.points[:, 0].tolist() == [1, 0]


def test_a_hidden_unit_cancels_a_push_as_a_whole() -> None:
    state = state_of(board(3, FLAT, [(0, 2), (0, 4), (1, 2), (2, 2)]))
    after = rules.step(state, GAME.parse(state, 0, 0, ["PUSH&BUILD 0 E E"])[None])
    assert view.rows(after, 0) == FLAT
    assert view.places(after, 0) == view.places(state, 0)
    assert after.mover.tolist() == [1]


def test_a_seat_that_gives_up_keeps_its_points_and_may_win() -> None:
    state = state_of(board(3, ["33000", *FLAT[1:]], [(0, 0), (0, 2), (4, 4), (4, 2)], points=(2, 0)))
    after = rules.step(state, np.array([ACCEPT_DEFEAT]))
    assert GAME.to_move(after).tolist() == [[False, True]]
    for _ in range(60):
        answer = GAME.random_answer(after, 0, 1, np.random.default_rng(0))
        after = rules.step(after, GAME.parse(after, 0, 1, answer)[None])
        if after.over[0]:
            break
        assert GAME.to_move(after).tolist() == [[False, True]]
    assert after.over[0]
    assert GAME.scores(after)[0, 0] == 2


def test_a_match_ends_after_200_rounds() -> None:
    state = state_of(board(3, FLAT, [(0, 0), (0, 2), (4, 4), (4, 2)], ply=399))
    after = rules.step(state, actions.pick(state.legal, np.array([0.5])))
    assert after.over.tolist() == [True]
    assert GAME.ranks(after).tolist() == [[1, 1]]


def end(state: State) -> tuple[bool, list[float], list[int]]:
    """Return whether a single board is over, its scores, and its places."""
    return bool(GAME.over(state)[0]), GAME.scores(state)[0].tolist(), GAME.ranks(state)[0].tolist()


def test_in_the_lowest_league_the_second_seat_may_still_draw() -> None:
    """The seat that climbs first wins at the end of the round, unless the other climbs in the same round."""
    state = state_of(board(0, ["23000", "00000", "00000", "00000", "00032"], [(0, 0), (4, 4)]))
    climbed = rules.step(state, GAME.parse(state, 0, 0, ["MOVE&BUILD 0 E S"])[None])
    assert climbed.over.tolist() == [False]
    assert GAME.scores(climbed).tolist() == [[0, 0]]
    drawn = rules.step(climbed, GAME.parse(climbed, 0, 1, ["MOVE&BUILD 0 W N"])[None])
    assert (drawn.over.tolist(), GAME.scores(drawn).tolist(), GAME.ranks(drawn).tolist()) == (
        [True],
        [[1, 1]],
        [[1, 1]],
    )
    won = rules.step(climbed, GAME.parse(climbed, 0, 1, ["MOVE&BUILD 0 N N"])[None])
    assert end(won) == (True, [1, 0], [1, 2])


def test_in_the_lowest_league_a_seat_that_is_out_loses_at_once() -> None:
    state = GAME.reset([3], 2, {"league": 0})
    after = rules.step(state, np.array([ACCEPT_DEFEAT]))
    assert (after.over.tolist(), GAME.scores(after).tolist(), GAME.ranks(after).tolist()) == (
        [True],
        [[-1, 0]],
        [[2, 1]],
    )


@pytest.mark.parametrize("first", [0, 1])
def test_a_match_whose_seats_are_both_out_ends(first: int) -> None:
    state = GAME.disqualify(GAME.disqualify(GAME.reset([3]), 0, first), 0, 1 - first)
    assert not GAME.to_move(state).any()
    assert GAME.over(GAME.step(state, GAME.idle(state))).tolist() == [True]


@pytest.mark.parametrize(
    "options",
    [
        {"league": 4},
        {"map": "round"},
        {"symmetric": "perhaps"},
        {"java_seed": 2**63},
    ],
)
def test_bad_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match=next(iter(options))):
        GAME.reset([0], 2, options)
