"""Questions that cannot be answered are refused with a sentence that names what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from core.game import BadRequest
from games.back_to_the_code.judge import judge
from tests.core.damage import damaged

MATCH: dict[str, Any] = {
    "w": 4,
    "h": 3,
    "n": 2,
    "max": 2,
    "starts": [[0, 0], [3, 2]],
    "rounds": [["1 0", "<T>"], ["2 0", "not read"], ["3 0", ""]],
}


def test_answers_are_plain_json() -> None:
    states = json.loads(json.dumps(judge(MATCH)))["states"]
    assert states[0] == {
        "players": [[0, 0, 1, 0], [3, 2, 1, 0]],
        "grid": ["0...", "....", "...1"],
        "scores": [1, 1],
        "completedRounds": 0,
        "realRound": 0,
    }
    assert states[1]["lost"] == [None, "timeout"]
    assert states[1]["over"] is None
    assert states[2] == {
        "players": [[2, 0, 1, 0], [3, 2, 1, 1]],
        "grid": ["000.", "....", "...1"],
        "scores": [3, 1],
        "completedRounds": 2,
        "realRound": 2,
        "lost": [None, None],
        "over": "maxRoundsCountReached",
    }
    assert len(states) == 3  # the third round is not played


def test_who_starts_on_a_cell_with_another_does_not_get_it() -> None:
    assert judge(MATCH | {"starts": [[1, 1], [1, 1]]})["states"][0]["grid"] == ["....", "....", "...."]


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        ({}, "w"),
        (MATCH | {"w": 0}, "w"),
        (MATCH | {"h": 101}, "h"),
        (MATCH | {"w": "4"}, "w"),
        (MATCH | {"n": 1, "starts": [[0, 0]]}, "n"),
        (MATCH | {"n": 5}, "n"),
        (MATCH | {"n": 3}, "starts"),
        (MATCH | {"max": -1}, "max"),
        (MATCH | {"max": 1_001}, "max"),
        (MATCH | {"starts": [[0, 0]]}, "starts"),
        (MATCH | {"starts": [[0, 0], [4, 2]]}, "starts"),
        (MATCH | {"starts": [[0, 0], [3, -1]]}, "starts"),
        (MATCH | {"starts": [[0, 0], [3]]}, "starts"),
        (MATCH | {"rounds": [["1 0"]]}, "rounds"),
        (MATCH | {"rounds": [["1 0", 3]]}, "rounds"),
        (MATCH | {"rounds": None}, "rounds"),
        (MATCH | {"colour": 1}, "colour"),
    ],
)
def test_bad_requests_name_the_field(request_: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadRequest, match=rf"\b{complaint}\b"):
        judge(request_)


@settings(deadline=None, max_examples=200)
@given(damaged([MATCH]))
def test_any_damage_is_refused_or_harmless(request_: dict[str, Any]) -> None:
    """A value replaced by any other: the judge answers or raises BadRequest, nothing else."""
    try:
        answer = judge(request_)
    except BadRequest:
        return
    assert 1 <= len(answer["states"]) <= 1 + len(request_["rounds"])
