"""Invariants of random matches, the fog, the end of a match, and the places."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.game import BadOptions
from games.registry import game_named
from games.wondev_woman import State, actions, plain, rules, view
from games.wondev_woman.actions import ACCEPT_DEFEAT
from games.wondev_woman.state import SEATS
from tests.games.wondev_woman.positions import LEAGUES, board, boards, boards_of, state_of

GAME = game_named("wondev_woman")


def random_match(league: int, count: int = 60) -> Iterator[tuple[State, State, np.ndarray]]:
    """Yield states of random matches before and after each turn, and the actions played."""
    rng = np.random.default_rng(league)
    state: State = GAME.reset(range(count), 2, {"league": league})
    while not state.over.all():
        played = actions.pick(state.legal, rng.random(count))
        after = rules.step(state, played)
        yield state, after, played
        state = after


def total_heights(state: State) -> np.ndarray:
    """Return (B,): the sum of all heights; a cell of height h is missing in the h lowest planes."""
    return np.bitwise_count(state.cells & ~state.low).sum(axis=0, dtype=int)


@pytest.mark.parametrize("league", LEAGUES)
def test_invariants(league: int) -> None:
    cancelled = 0
    for before, after, played in random_match(league):
        raised = total_heights(after) - total_heights(before)
        acted = ~before.over & (played >= 0)
        assert set(raised.tolist()) <= {0, 1}
        assert (raised[~acted] == 0).all()
        cancelled += int((raised[acted] == 0).sum())
        scored = after.points - before.points
        assert scored.min() >= 0
        assert (scored.sum(axis=0) <= (acted & (played < 128))).all()
        assert (scored[1 - before.mover, range(before.boards)] == 0).all()
        standing = np.left_shift(np.uint64(1), after.units)
        assert (standing & after.low[3] == standing).all()
        assert (np.bitwise_count(np.bitwise_or.reduce(standing, axis=(0, 1))) == after.units[..., 0].size).all()
        assert (after.cells == before.cells).all()
        assert (after.low[3] & ~after.cells == 0).all()
        for below, above in zip(after.low, after.low[1:], strict=False):
            assert (below & ~above == 0).all()
    assert (cancelled > 0) == (league == 3)


@pytest.mark.parametrize("league", LEAGUES)
def test_legal_actions_are_those_of_the_seat_to_move(league: int) -> None:
    for _, state, _ in random_match(league):
        mask = GAME.legal(state)
        assert mask.shape == (state.boards, SEATS, actions.ACTIONS)
        assert not mask[~GAME.to_move(state)].any()
        assert (mask.sum(axis=(1, 2)) == actions.count(state.legal)).all()
        if league < 2:
            assert not mask[..., 64:].any()


@settings(deadline=None, max_examples=300)
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


@settings(deadline=None, max_examples=50)
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


def test_a_push_onto_the_top_scores_for_nobody() -> None:
    state = state_of(board(2, ["02300", *FLAT[1:]], [(0, 0), (4, 4), (1, 0), (4, 2)]))
    after = rules.step(state, GAME.parse(state, 0, 0, ["PUSH&BUILD 0 E E"])[None])
    assert view.rows(after, 0)[0] == "03300"
    assert view.places(after, 0)[1] == [(2, 0), (4, 2)]
    assert after.points[:, 0].tolist() == [0, 0]


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
        {"league": -1},
        {"league": "many"},
        {"map": "round"},
        {"symmetric": "perhaps"},
        {"java_seed": 2**63},
        {"java_seed": 1.5},
        {"version": 3},
    ],
)
def test_bad_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match=next(iter(options))):
        GAME.reset([0], 2, options)


def test_states_convert_to_the_reference_at_any_time() -> None:
    for _, after, _ in random_match(3, count=5):
        assert state_of(*boards_of(after)).low.tolist() == after.low.tolist()
