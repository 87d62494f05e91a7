"""The exact lines of questions and answers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.referee import Reply
from games.registry import game_named
from games.wondev_woman import State
from games.wondev_woman.actions import ACCEPT_DEFEAT, TEXTS
from tests.core.leaving import WRONG, leaving_match
from tests.core.told import refused
from tests.games.wondev_woman.positions import board, state_of

GAME = game_named("wondev_woman")


def begin(league: int = 3) -> State:
    return state_of(board(league, ["000.4", "00000", "00000", "00000", "1.000"], [(1, 1), (0, 4), (2, 1), (4, 4)]))


def test_a_turn_line_by_line() -> None:
    rows = ["..03.", ".4224", "00444", "0.444", "144.."]
    state = state_of(board(3, rows, [(3, 1), (0, 2), (2, 0), (0, 3)]))
    assert GAME.introduce(state, 0, 0) == ["5", "2"]
    assert GAME.observe(state, 0, 0) == [
        *rows,
        "3 1",
        "0 2",
        "2 0",
        "0 3",
        "8",
        "MOVE&BUILD 0 N S",
        "MOVE&BUILD 0 N SW",
        "MOVE&BUILD 0 W E",
        "MOVE&BUILD 0 W NE",
        "MOVE&BUILD 0 W SW",
        "MOVE&BUILD 1 E NE",
        "MOVE&BUILD 1 E W",
        "PUSH&BUILD 1 S S",
    ]


def test_the_first_answer_of_each_seat_may_take_longer() -> None:
    state = begin()
    limits = []
    for seat in (0, 1, 0, 1):
        limits.append(GAME.cpu_ms(state, 0, seat))
        played = GAME.idle(state)
        played[0, seat] = GAME.parse(state, 0, seat, GAME.random_answer(state, 0, seat, np.random.default_rng(0)))
        state = GAME.step(state, played)
    assert limits == [1_000, 1_000, 50, 50]
    assert GAME.answer_lines(state, 0, 0) == 1


def test_each_seat_sees_itself_first_and_the_hidden_as_minus_one() -> None:
    state = begin()
    assert GAME.observe(state, 0, 0)[5:9] == ["1 1", "0 4", "2 1", "-1 -1"]
    assert GAME.observe(state, 0, 1)[5:9] == ["2 1", "4 4", "1 1", "-1 -1"]
    assert GAME.observe(begin(league=2), 0, 0)[5:9] == ["1 1", "0 4", "2 1", "4 4"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("MOVE&BUILD 0 N S", "MOVE&BUILD 0 N S"),
        ("move&build 0 n s", "MOVE&BUILD 0 N S"),
        ("PUSH&BUILD 0 E SE", "PUSH&BUILD 0 E SE"),
        ("MOVE&BUILD  0\tN   S", "MOVE&BUILD 0 N S"),
        ("MOVE&BUILD 0 N S take that", "MOVE&BUILD 0 N S"),
        ("MOVE&BUILD 0 N S 塔を建てる", "MOVE&BUILD 0 N S"),
    ],
)
def test_actions(line: str, text: str) -> None:
    assert TEXTS[int(GAME.parse(begin(), 0, 0, [line]))] == text


@pytest.mark.parametrize("line", ["ACCEPT-DEFEAT", "accept-defeat", "ACCEPT-DEFEAT ", "Accept-Defeat well played"])
def test_giving_up(line: str) -> None:
    assert int(GAME.parse(begin(), 0, 0, [line])) == ACCEPT_DEFEAT


@pytest.mark.parametrize(
    "line",
    [
        "",
        " MOVE&BUILD 0 N S",
        "MOVE&BUILD 0 N Shello",
        "MOVE&BUILD 00 N S",
        "MOVE&BUILD ٠ N S",
        "MOVE&BUıLD 0 N S",
        "MOVE&BUILD\u00a00 N S",
        "ACCEPT-DEFEATgg",
        "MOVE&BUILD 0 N S one\ntwo",
        "\x1b[31mMOVE&BUILD 0 N S",
        "x" * 5_000,
    ],
)
def test_lines_that_are_no_actions_are_quoted(line: str) -> None:
    sentence = refused(GAME, begin(), 0, [line])
    assert re.fullmatch(r"The answer is .*, but an action such as .* is expected\.", sentence)
    assert sentence.isprintable()
    assert len(sentence) < 300


@pytest.mark.parametrize("action", ["MOVE&BUILD 0 N S", "ACCEPT-DEFEAT"])
def test_many_blanks_without_a_message_are_read_quickly(action: str) -> None:
    # A pattern that tried all ways to divide the blanks would exceed the time limit of a test.
    assert "The answer is " in refused(GAME, begin(), 0, [action + " " * 100_000 + "\u2028"])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("MOVE&BUILD 2 N S", "no unit 2"),
        ("MOVE&BUILD 0 E N", "stands on the cell to move to"),
        ("MOVE&BUILD 1 W N", "no cell to move to"),
        ("PUSH&BUILD 0 E W", "straight on or to one side"),
        ("PUSH&BUILD 0 N N", "Nobody"),
        ("MOVE&BUILD 0 N N", "no cell to build on"),
        ("MOVE&BUILD 0 N SE", "stands on the cell to build on"),
    ],
)
def test_illegal_actions_are_refused_with_their_reason(line: str, reason: str) -> None:
    assert reason in refused(GAME, begin(), 0, [line])


def test_a_seat_that_cannot_act_gives_up() -> None:
    state = state_of(board(3, ["04000", "44000", "00000", "00000", "00000"], [(0, 0), (4, 0), (4, 4), (0, 4)]))
    stuck = state_of(board(1, ["04000", "44000", "00000", "00000", "00000"], [(0, 0), (4, 4)]))
    assert GAME.random_answer(stuck, 0, 0, np.random.default_rng(0)) == ["ACCEPT-DEFEAT"]
    assert GAME.observe(stuck, 0, 0)[-1] == "0"
    assert GAME.observe(state, 0, 0)[9] != "0"


@pytest.mark.parametrize("league", [1, 2, 3])
def test_a_question_without_legal_actions_may_be_answered_by_anything(league: int) -> None:
    """It is an accepted defeat: the same match, and the same places, as with ACCEPT-DEFEAT."""
    defeat, same, _ = leaving_match(GAME, Reply(["ACCEPT-DEFEAT"]), options={"league": league})
    for wrong in WRONG:
        outcome, records, left = leaving_match(GAME, wrong, options={"league": league})
        assert left
        assert (outcome.ranks, outcome.scores, outcome.faults) == (defeat.ranks, defeat.scores, (None, None))
        assert [record.get("frame") for record in records] == [record.get("frame") for record in same]


def test_a_seat_with_a_legal_action_may_not_leave() -> None:
    state = begin()
    assert not GAME.may_leave(state, 0, 0)
    walled = state_of(board(3, ["04444", "44444", "44444", "44440", "04400"], [(0, 0), (0, 4), (3, 3), (4, 4)]))
    assert GAME.may_leave(walled, 0, 0)
