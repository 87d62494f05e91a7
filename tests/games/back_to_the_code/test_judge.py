"""The judge refuses wrong questions with a sentence that names the fault."""

from __future__ import annotations

import json
from typing import Any

from games.back_to_the_code.judge import judge

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


def test_seats_that_start_on_the_same_cell_do_not_get_it() -> None:
    assert judge(MATCH | {"starts": [[1, 1], [1, 1]]})["states"][0]["grid"] == ["....", "....", "...."]


REQUESTS = [MATCH]

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, r"\bw\b"),
    (MATCH | {"w": 0}, r"\bw\b"),
    (MATCH | {"h": 101}, r"\bh\b"),
    (MATCH | {"n": 1, "starts": [[0, 0]]}, r"\bn\b"),
    (MATCH | {"n": 3}, "starts"),
    (MATCH | {"max": 1_001}, "max"),
    (MATCH | {"starts": [[0, 0], [4, 2]]}, "starts"),
    (MATCH | {"starts": [[0, 0], [3, -1]]}, "starts"),
    (MATCH | {"rounds": [["1 0"]]}, "rounds"),
    (MATCH | {"rounds": [["1 0", 3]]}, "rounds"),
    (MATCH | {"colour": 1}, "colour"),
]
"""Requests, and what the sentence of each refusal names."""
