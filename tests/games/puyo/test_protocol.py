"""The exact lines of questions and answers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.told import refused
from tests.games.puyo.positions import GAME, begun, supplied

PAIRS = [(1, 2), (3, 3), (4, 1), (2, 1), (1, 1)]


def test_lines_of_tsu() -> None:
    state = begun(
        "0..1..", "24....", index=[0, 1], score=[0, 840], pending=[12, 0], fixed=[0, 30], carry=[55, 10],
        all_clear=[0, 1], chain=[0, 3], tick=[130],
    )  # fmt: skip
    state = supplied(state, *PAIRS)
    empty = ["......"] * 12
    mine = ["1 2", "3 3", "4 1", "0 12 0 55 0 0", *empty, "0..1.."]
    other = ["3 3", "4 1", "2 1", "840 0 30 10 1 3", *empty, "24...."]
    assert GAME.introduce(state, 0, 0) == ["0 400 70 1"]
    assert GAME.introduce(state, 0, 1) == ["1 400 70 1"]
    assert GAME.observe(state, 0, 0) == ["130 52", *mine, *other]
    assert GAME.observe(state, 0, 1) == ["130 52", *other, *mine]


def test_lines_of_smash_the_code_tell_nothing_of_skulls_to_come() -> None:
    state = begun("0..1..", "25....", ruleset="smash_the_code", score=[70, 840], pending=[3, 0], carry=[55, 10])
    pairs = [f"{a} {b}" for a, b in state.supply.pairs[:8, :, 0].tolist()]
    empty = ["......"] * 11
    assert GAME.introduce(state, 0, 0) == []
    assert GAME.observe(state, 0, 0) == [*pairs, "70", *empty, "0..1..", "840", *empty, "25...."]
    assert GAME.observe(state, 0, 1) == [*pairs, "840", *empty, "25....", "70", *empty, "0..1.."]


def test_the_contest_of_smash_the_code_told_no_scores() -> None:
    """Bots of May 2016 read 32 lines a turn, and those of the later multiplayer game 34."""
    contest, later = (
        begun("0..1..", "25....", ruleset=ruleset, score=[70, 840])
        for ruleset in ("smash_the_code_contest", "smash_the_code")
    )
    lines = GAME.observe(later, 0, 1)
    assert len(lines) == 34
    assert GAME.observe(contest, 0, 1) == [*lines[:8], *lines[9:21], *lines[22:]]
    assert GAME.introduce(contest, 0, 1) == []
    assert GAME.parse(contest, 0, 0, ["1 2"]).tolist() == GAME.parse(later, 0, 0, ["1 2"]).tolist()


@pytest.mark.parametrize("ruleset", ["smash_the_code", "smash_the_code_contest"])
def test_who_has_no_room_for_a_pair_may_leave_and_has_lost_like_who_is_dead(ruleset: str) -> None:
    wall = " ".join(["121212", "343434"] * 6)
    state = begun(wall, wall, ruleset=ruleset)
    assert [GAME.may_leave(state, 0, seat) for seat in (0, 1)] == [True, True]
    assert not GAME.may_leave(begun(ruleset=ruleset), 0, 0)
    assert GAME.random_answer(state, 0, 1, np.random.default_rng(0)) == ["0 1"]
    actions = GAME.idle(state)
    actions[0, 1] = GAME.parse(state, 0, 1, ["0 1"])
    after = GAME.step(GAME.disqualify(state, 0, 0), actions)
    assert GAME.over(after)[0]
    assert GAME.ranks(after)[0].tolist() == [1, 1]


def test_in_tsu_nobody_may_leave() -> None:
    assert not GAME.may_leave(begun("1.2.1. " * 11, ""), 0, 0)


def test_the_first_answer_has_more_time() -> None:
    assert [GAME.cpu_ms(begun(tick=[tick]), 0, 0) for tick in (0, 1)] == [1000, 100]


@pytest.mark.parametrize(("line", "move"), [("0 0", [0, 0]), ("4 1", [4, 1]), ("5 3", [5, 3]), ("2 2 a\tb \n", [2, 2])])
def test_answers_of_tsu(line: str, move: list[int]) -> None:
    assert GAME.parse(begun(), 0, 0, [line]).tolist() == move


@pytest.mark.parametrize(
    ("line", "move"), [("0 0", [0, 1]), ("0 1", [0, 0]), ("1 2 hello", [1, 3]), ("5 3", [5, 2]), ("5 1", [5, 0])]
)
def test_answers_of_smash_the_code_turn_otherwise(line: str, move: list[int]) -> None:
    state = begun(ruleset="smash_the_code")
    assert GAME.parse(state, 0, 0, [line]).tolist() == move


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "''"),
        ("2 0x", "'2 0x'"),
        ("2  0", "column"),
        ("-1 0", "column"),
        ("٢ 0", "column"),
        ("9" * 300 + " 0", "99' .."),
        ("6 0", "from 0 to 5"),
        ("2 4", "from 0 to 3"),
        ("5 1", "beyond the edge"),
        ("0 3", "beyond the edge"),
    ],
)
def test_illegal_answers(line: str, complaint: str) -> None:
    assert complaint in refused(GAME, begun(), 0, [line])


@pytest.mark.parametrize(
    ("line", "move"),
    [("3", [3, 0]), ("3 ", [3, 0]), ("3 Take that!", [3, 0]), ("  2  0 Pan!", [2, 1]), ("4 3 4 3", [4, 2])],
)
def test_a_column_alone_puts_a_pair_of_smash_the_code_upright(line: str, move: list[int]) -> None:
    """Bots of the contest's first league answer so, with the first block below; blanks and messages are free."""
    for ruleset in ("smash_the_code", "smash_the_code_contest"):
        assert GAME.parse(begun(ruleset=ruleset), 0, 0, [line]).tolist() == move


def test_a_column_alone_is_no_answer_in_tsu() -> None:
    assert "a column and a rotation" in refused(GAME, begun(), 0, ["3"])


@pytest.mark.parametrize("line", ["", " ", "a", "-1 0", "3 -1", "3 1.5", "3 4", "6", "3 2nd", "9" * 300])
def test_illegal_answers_of_smash_the_code(line: str) -> None:
    assert refused(GAME, begun(ruleset="smash_the_code"), 0, [line])


def test_a_wall_is_told() -> None:
    wall = " ".join([".1....", ".2...."] * 6)
    assert "brought to 0 0: the columns are 0 12 0 0 0 0 high" in refused(GAME, begun(wall, ""), 0, ["0 0"])
    assert GAME.parse(begun(wall, ""), 0, 1, ["0 0"]).tolist() == [0, 0]


def test_smash_the_code_has_no_walls() -> None:
    wall = " ".join([".1....", ".2...."] * 6)
    assert GAME.parse(begun(wall, "", ruleset="smash_the_code"), 0, 0, ["0 1"]).tolist() == [0, 0]
