"""Positions and whole matches have the results of the plain reference, alone and in batches."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.registry import game_named
from games.wondev_woman import actions, rules
from games.wondev_woman.judge import judge
from tests.games.wondev_woman import plain
from tests.games.wondev_woman.positions import LEAGUES, boards, boards_of, request_of, state_of

GAME = game_named("wondev_woman")

leagues = st.sampled_from(LEAGUES)


@settings(max_examples=300)
@given(boards(leagues) | boards(leagues, crowded=True))
def test_questions_to_both_seats_are_those_of_the_reference(board: plain.Board) -> None:
    state = state_of(board)
    for seat in (0, 1):
        assert GAME.observe(state, 0, seat) == plain.lines(board, seat)


@settings(max_examples=200)
@given(st.data())
def test_every_legal_action(data: st.DataObject) -> None:
    """All legal actions of a position are played in one batch."""
    board = data.draw(boards(leagues) | boards(leagues, crowded=True))
    lines = [*plain.legal(board, board.seat), "ACCEPT-DEFEAT"]
    state = state_of(*[board] * len(lines))
    numbers = [GAME.parse(state, b, board.seat, [line]) for b, line in enumerate(lines)]
    after = rules.step(state, np.array(numbers))
    expected = [plain.play(board, line) for line in lines]
    assert boards_of(after) == expected
    assert after.over.tolist() == [each.over for each in expected]
    for b, each in enumerate(expected):
        legal = [] if each.over else plain.legal(each, each.seat)
        assert actions.lines(after.legal[:, b : b + 1]) == legal


@pytest.mark.parametrize("league", LEAGUES)
def test_whole_matches_in_one_batch(league: int) -> None:
    """Random players, some of which give up, are compared on all boards in each turn to the end."""
    rng = random.Random(league)  # noqa: S311 - dice
    state = GAME.reset(range(40), 2, {"league": league})
    expected = boards_of(state)
    while not GAME.over(state).all():
        played = GAME.idle(state)
        for b, board in enumerate(expected):
            if not board.over:
                line = rng.choice(plain.legal(board, board.seat) or ["ACCEPT-DEFEAT"])
                line = "ACCEPT-DEFEAT" if rng.random() < 0.005 else line
                played[b, board.seat] = GAME.parse(state, b, board.seat, [line])
                expected[b] = plain.play(board, line)
        state = GAME.step(state, played)
        assert boards_of(state) == expected
        assert GAME.over(state).tolist() == [board.over for board in expected]
        asked = [[not board.over and board.seat == seat for seat in (0, 1)] for board in expected]
        assert GAME.to_move(state).tolist() == asked


@settings(max_examples=150)
@given(st.data())
def test_the_judge_accepts_what_is_legal_and_nothing_else(data: st.DataObject) -> None:
    board = data.draw(boards(leagues, crowded=True))
    legal = set(plain.legal(board, board.seat))
    for text in data.draw(st.lists(st.sampled_from(list(actions.TEXTS)), max_size=20)) + sorted(legal)[:5]:
        answer = judge({**request_of(board), "cmd": "apply", "action": text})
        assert answer["ok"] == (text in legal)
        if answer["ok"]:
            after = plain.play(board, text)
            assert answer["rows"] == request_of(after)["rows"]
            assert answer["units"] == request_of(after)["units"]
            assert answer["scores"] == list(after.points)
            assert answer["move_valid"] == (after.units != board.units)
            assert answer["place_valid"] == (after.heights != board.heights)
            assert answer["score_point"] == (after.points != board.points)
        else:
            assert answer["dead"] == [int(seat == board.seat) for seat in (0, 1)]


@pytest.mark.parametrize("out", [0, 1])
def test_a_round_ends_before_a_seat_that_is_out_loses(out: int) -> None:
    """If the first seat gives up, the second still has its turn; if the second does, the round ends."""
    state = GAME.reset([1])
    board = replace(boards_of(state)[0], points=(1, 0) if out else (0, 1), ply=out)
    after = plain.play(board, "ACCEPT-DEFEAT")
    assert after.over == bool(out)
    assert rules.step(state_of(board), np.array([actions.ACCEPT_DEFEAT])).over.tolist() == [bool(out)]
