"""The exact lines of questions and answers."""

from __future__ import annotations

import pytest

from core.referee import Reply
from core.replay import encode
from games.back_to_the_code import Action, State
from games.back_to_the_code.protocol import Refusal
from games.back_to_the_code.state import first_state
from games.registry import game_named
from games.replays import verify
from tests.core.leaving import WRONG, leaving_match
from tests.core.told import refused

GAME = game_named("back_to_the_code")


def board(*starts: tuple[int, int], grid: tuple[int, int] = (4, 6)) -> State:
    """Return the state of a single board."""
    return first_state([starts], grid, 350)


def play(state: State, *lines: str) -> State:
    """Return the state after a round, given the line of each seat; an empty line is not parsed."""
    actions = GAME.idle(state)
    for seat, line in enumerate(lines):
        if line:
            actions[0, seat] = GAME.parse(state, 0, seat, [line])
    after: State = GAME.step(state, actions)
    return after


def test_a_match_line_by_line() -> None:
    state = board((0, 0), (5, 3))
    assert GAME.introduce(state, 0, 0) == GAME.introduce(state, 0, 1) == ["1"]
    assert GAME.observe(state, 0, 0) == ["1", "0 0 1", "5 3 1", "0.....", "......", "......", ".....1"]
    assert GAME.answer_lines(state, 0, 0) == 1
    assert GAME.cpu_ms(state, 0, 0) == 1_000
    for mine, other in zip(["1 0", "2 0", "3 0", "4 0 hello", "back  2 hello"], "43210", strict=True):
        state = play(state, mine, f"{other} 3")
        assert GAME.cpu_ms(state, 0, 0) == 150
    assert GAME.observe(state, 0, 0) == ["3", "2 0 0", "3 3 1", "000...", "......", "......", "...111"]
    assert GAME.observe(state, 0, 1) == ["3", "3 3 1", "2 0 0", "111...", "......", "......", "...000"]


@pytest.mark.parametrize(
    ("reader", "order", "row"),
    [(0, "ABCD", "01.23"), (1, "BACD", "10.23"), (2, "CBAD", "21.03"), (3, "DBCA", "31.20")],
)
def test_each_reader_swaps_numbers_with_seat_0(reader: int, order: str, row: str) -> None:
    places = {"A": (0, 0), "B": (1, 0), "C": (3, 0), "D": (4, 0)}
    state = board(*places.values(), grid=(2, 5))
    lines = GAME.observe(state, 0, reader)
    assert lines == ["1", *(f"{places[seat][0]} 0 1" for seat in order), row, "....."]
    assert GAME.introduce(state, 0, reader) == ["3"]


def test_a_seat_that_is_out_has_no_place_but_keeps_its_cells() -> None:
    state = GAME.disqualify(board((0, 0), (5, 3)), 0, 1)
    assert GAME.observe(state, 0, 0) == ["1", "0 0 1", "-1 -1 0", "0.....", "......", "......", ".....1"]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("2 1", Action.STAY),
        ("5 0", Action.RIGHT),
        ("0 3", Action.LEFT),
        ("2 0", Action.UP),
        ("2 3", Action.DOWN),
        ("2 -0", Action.UP),
        ("2 3 hello, ~world", Action.DOWN),
        ("8 11 38056".replace("8 11", "2 3"), Action.DOWN),
        ("BACK 1", Action.BACK + 1),
        ("bAcK   25 hello", Action.BACK + 25),
    ],
)
def test_answers_become_actions(line: str, action: int) -> None:
    assert GAME.parse(board((2, 1), (5, 3)), 0, 0, [line]) == action


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "format"),
        (" 2 3", "format"),
        ("2 3\n", "format"),
        ("2 3 h\u00e9", "format"),
        ("2.0 3", "format"),
        ("1234567890 1", "format"),
        ("\u0662 3", "format"),
        ("BAC\u212a 3", "format"),
        ("BACK 1234567890", "format"),
        ("6 3", "x"),
        ("-1 3", "x"),
        ("2 4", "y"),
        ("2 -1", "y"),
        ("BACK 0", "backRounds"),
        ("BACK 26", "backRounds"),
    ],
)
def test_other_answers_are_refused(line: str, reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        GAME.parse(board((2, 1), (5, 3)), 0, 0, [line])
    assert refused(GAME, board((2, 1), (5, 3)), 0, [line]).startswith("The answer ")
    assert refusal.value.reason == f"InvalidInput {reason}"


def test_a_second_back_is_refused() -> None:
    state = play(board((2, 1), (5, 3)), "BACK 1")
    assert "second BACK" in refused(GAME, state, 0, ["BACK 1"])
    with pytest.raises(Refusal) as refusal:
        GAME.parse(state, 0, 0, ["BACK 1"])
    assert refusal.value.reason == "noBackInTimeLeft"


@pytest.mark.parametrize("wrong", WRONG, ids=["silence", "nonsense", "late", "end"])
def test_a_question_on_a_full_board_may_be_answered_by_anything(wrong: Reply) -> None:
    outcome, records, left = leaving_match(GAME, wrong, players=3, options={"width": 5, "height": 4})
    assert left
    assert outcome.faults == (None, None, None)
    assert sum(outcome.scores) == 20, "who leaves keeps its cells"
    verify(encode(records))


def test_a_seat_may_not_leave_while_there_is_a_neutral_cell() -> None:
    state = board((0, 0), (1, 0), grid=(1, 3))
    assert not GAME.may_leave(state, 0, 0)
    assert GAME.may_leave(play(state, "0 0", "2 0"), 0, 0)
