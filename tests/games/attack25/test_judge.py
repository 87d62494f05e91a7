"""The judge answers questions as JSON and as text, and refuses wrong ones with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import BadRequest
from games.attack25.judge import judge, judge_text
from tests.games.attack25 import plain

SEED = {"R": [13], "B": [8]}


FREE = [2, 3, 4, 7, 9, 12, 14, 17, 18, 19]


SEED_TAKES = {"R": [3], "B": [18], "G": FREE, "W": FREE}


def test_legal() -> None:
    answer = judge({"op": "legal", "board": SEED})
    assert json.loads(json.dumps(answer)) == {"legal": SEED_TAKES, "class": {"R": 1, "G": 2, "W": 2, "B": 1}}


def test_legal_on_an_empty_and_on_a_full_board() -> None:
    assert judge({"op": "legal", "board": {}}) == {
        "legal": {colour: [13] for colour in "RGWB"},
        "class": dict.fromkeys("RGWB", 0),
    }
    assert judge({"op": "legal", "board": {"R": list(range(1, 26))}}) == {
        "legal": {colour: [] for colour in "RGWB"},
        "class": dict.fromkeys("RGWB", None),
    }


def whole_game() -> list[list[Any]]:
    """Return the takes of a whole match: colours in turn take the lowest legal panel; panel 13 is emptied."""
    match, takes = plain.Match([0, 1, 2, 3]), []
    for number in range(26):
        panel = plain.legal(match.board, number % 4)[1][0]
        takes.append(["RGWB"[number % 4], panel, *([13] if match.chance else [])])
        match.pick(number % 4, (panel, 13 if match.chance else 0))
    return takes


def test_a_whole_game() -> None:
    answer = judge({"op": "game", "takes": whole_game()})
    boards = answer["boards"]
    assert [25 - board.count(".") for board in boards] == [*range(1, 21), 20, 21, 22, 23, 24, 25]
    assert boards[0] == "R".center(25, ".")
    assert boards[20][12] == "."
    assert answer["counts"] == {colour: boards[-1].count(colour) for colour in "RGWB"}
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize(
    ("at", "take", "sentence"),
    [
        (0, ["R", 12], "R may not take 12, only one of 13."),
        (1, ["G", 13], "G may not take 13, only one of 7, 8, 9, 12, 14, 17, 18, 19."),
        (1, ["G", 7, 13], "and with no other"),
        (20, None, "A panel is emptied with the take number 20"),
        (20, 25, "Panel 25 cannot be emptied, as nobody owns it."),
        (26, ["R", 1], "A match has 26 takes."),
    ],
)
def test_illegal_takes(at: int, take: Any, sentence: str) -> None:
    takes = whole_game()
    if at == 20:
        take = takes[at][:2] if take is None else [*takes[at][:2], take]
    answer = judge({"op": "game", "takes": [*takes[:at], take, *takes[at + 1 :]]})
    assert answer["at"] == at
    assert sentence in answer["error"]


REQUESTS = [{"op": "legal", "board": SEED}, {"op": "game", "takes": whole_game()}]

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "op"),
    ({"op": "legal", "board": {"X": [1]}}, "board"),
    ({"op": "legal", "board": {"R": [0]}}, "board"),
    ({"op": "legal", "board": {"R": [26]}}, "board"),
    ({"op": "legal", "board": {"R": [1], "G": [1]}}, "Panel 1 is claimed by R and G"),
    ({"op": "legal", "board": {}, "colour": 1}, "colour"),
    ({"op": "game", "takes": [["R"]]}, "takes"),
    ({"op": "game", "takes": [["R", 13, 1, 2]]}, "takes"),
    ({"op": "game", "takes": [["R", 10**30]]}, "takes"),
]
"""Requests, and what the sentence of each refusal names."""


# --- Text -----------------------------------------------------------------------------------------------------------


def test_text_keeps_the_order_of_the_colours() -> None:
    text = judge_text("R,13\nB,8\nW\nG\n")
    assert text == "R,3\nB,18\nW,2,3,4,7,9,12,14,17,18,19\nG,2,3,4,7,9,12,14,17,18,19\n"
    assert judge_text("G\nB,8\nR,13\n").split() == [text.split()[number] for number in (3, 1, 0)]


@pytest.mark.parametrize("text", ["R,13\r\n\r\n  B , 8 \r\n", "\n\nR,13\n \nB,8", "R,13\nB,08"])
def test_blanks_do_not_matter(text: str) -> None:
    assert judge_text(text) == "R,3\nB,18\n"


def test_a_full_board_leaves_the_colour_alone() -> None:
    assert judge_text("W," + ",".join(map(str, range(1, 26))) + "\nB\n") == "W\nB\n"
    assert judge_text("") == ""
    assert judge_text("B\nR\n") == "B,13\nR,13\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("R,13\nB,13", "Panel 13 is claimed by R and B"),
        ("R,13\nR,14", "Line 2: 'R'"),
        ("X,13", "Line 1: 'X'"),
        ("RG,1", "Line 1: 'RG'"),
        ("R,26", "Line 1: '26'"),
        ("R,,", "Line 1: ''"),
        ("R,٣", "Line 1: "),
        ("R," + "9" * 5_000, "Line 1: '99999999999999999999'"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadRequest, match=complaint):
        judge_text(text)


@given(st.text() | st.text("RGWB,0123456789 \n"))
def test_only_lines_of_colours_are_answered(text: str) -> None:
    try:
        judge_text(text)
    except BadRequest:
        return
    starts = [line.strip()[0] for line in text.splitlines() if line.strip()]
    assert set(starts) <= set("RGWB")
    assert len(starts) <= 4


def test_colours_without_panels_may_be_written_as_by_the_articles_program() -> None:
    assert judge_text("R,13\nB,8\nW,\nG, \n") == judge_text("R,13\nB,8\nW\nG\n")
    full = ",".join(map(str, range(1, 26)))
    assert judge_text(f"R,{full}\nB,\nW,\nG,\n") == "R,\nB,\nW,\nG,\n"
    assert judge_text(f"R,{full}\nB\nW\nG\n") == "R\nB\nW\nG\n"
    with pytest.raises(BadRequest, match="'' is no panel"):
        judge_text("R,13,\nB\nW\nG\n")
