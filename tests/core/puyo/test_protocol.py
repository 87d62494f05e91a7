"""The lines to and from a bot."""

from __future__ import annotations

import pytest

from core.game import IllegalAnswer
from tests.core.puyo.positions import GAME, begun, supplied

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
        ("2", "column and a rotation"),
        ("2 0x", "'2 0x'"),
        ("2  0", "column"),
        (" 2 0", "column"),
        ("-1 0", "column"),
        ("٢ 0", "column"),
        ("2.0 0", "column"),
        ("9" * 300 + " 0", "99' [.][.]"),
        ("6 0", "from 0 to 5"),
        ("2 4", "from 0 to 3"),
        ("5 1", "beyond the edge"),
        ("0 3", "beyond the edge"),
    ],
)
def test_illegal_answers(line: str, complaint: str) -> None:
    with pytest.raises(IllegalAnswer, match=complaint):
        GAME.parse(begun(), 0, 0, [line])


@pytest.mark.parametrize("lines", [[], ["2 0", "2 0"]])
def test_one_line_is_expected(lines: list[str]) -> None:
    with pytest.raises(IllegalAnswer, match=f"{len(lines)} lines"):
        GAME.parse(begun(), 0, 0, lines)


def test_a_wall_is_told() -> None:
    wall = " ".join([".1....", ".2...."] * 6)
    with pytest.raises(IllegalAnswer, match="brought to 0 0: the columns are 0 12 0 0 0 0 high"):
        GAME.parse(begun(wall, ""), 0, 0, ["0 0"])
    assert GAME.parse(begun(wall, ""), 0, 1, ["0 0"]).tolist() == [0, 0]


def test_smash_the_code_has_no_walls() -> None:
    wall = " ".join([".1....", ".2...."] * 6)
    assert GAME.parse(begun(wall, "", ruleset="smash_the_code"), 0, 0, ["0 1"]).tolist() == [0, 0]


@pytest.mark.parametrize("option", [{"ruleset": "fever"}, {"ruleset": None}, {"rules": "tsu"}])
def test_unknown_options(option: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="rule"):
        GAME.reset([0], 2, option)
