"""The judge refuses wrong questions with a sentence that names the fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.puyo.judge import judge

EMPTY = "......"


CHAIN: dict[str, Any] = {"op": "chain", "field": [EMPTY] * 12 + ["RRRR#."]}


PLACEMENTS: dict[str, Any] = {"op": "placements", "heights": [0, 12, 0, 12, 13, 0]}


SMASH: dict[str, Any] = {
    "op": "smash",
    "grid": [EMPTY] * 11 + ["11.0.."],
    "a": 1,
    "b": 5,
    "x": 2,
    "rot": 1,
    "skulls": 0,
}


PLAY: dict[str, Any] = {
    "op": "play",
    "pairs": [["R", "G"], ["B", "B"]],
    "permutations": [[0, 1, 2, 3, 4, 5]],
    "moves": [[[1, 0], [6, 3]], [[1, 0], [6, 0]]],
}


def test_answers_are_plain_json() -> None:
    step = {"n": 4, "cp": 0, "cb": 0, "gb": 0, "score": 40, "field": [EMPTY] * 13}
    assert json.loads(json.dumps(judge(CHAIN))) == {"chains": 1, "score": 40, "after": [EMPTY] * 13, "steps": [step]}
    assert json.loads(json.dumps(judge(PLACEMENTS)))["legal"][0] == [1, 0]
    after = [EMPTY] * 10 + ["..5...", "1110.."]
    assert json.loads(json.dumps(judge(SMASH))) == {"alive": True, "score": 0, "after": after}
    found = json.loads(json.dumps(judge(PLAY)))
    assert found["result"] is None
    assert found["ticks"][1]["fields"] == [
        [EMPTY] * 9 + ["B.....", "B.....", "G.....", "R....."],
        [EMPTY] * 10 + [".....B", ".....B", "....GR"],
    ]


@pytest.mark.parametrize(
    ("moves", "ticks", "result"),
    [
        ([], 0, None),
        ([[[1, 3], [1, 0]]], 1, 1),
        ([[[1, 0], None]], 1, 0),
        ([[[7, 0], [0, 0]]], 1, "draw"),
        ([[[3, 0], [1, 0]]] * 9, 6, 1),
        ([[[3, 0], [3, 0]]] * 9, 6, "draw"),
    ],
)
def test_how_matches_end(moves: list[Any], ticks: int, result: object) -> None:
    pairs = [["R", "G"], ["B", "Y"]]
    found = judge(PLAY | {"pairs": pairs, "moves": moves})
    assert (len(found["ticks"]), found["result"]) == (ticks, result)


REQUESTS = [CHAIN, PLACEMENTS, SMASH, PLAY]

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "op"),
    (CHAIN | {"colour": 1}, "colour"),
    (CHAIN | {"field": [EMPTY] * 12}, "field"),
    (CHAIN | {"field": [EMPTY] * 12 + ["....1."]}, "field has '1'"),
    (CHAIN | {"field": ["R....."] + [EMPTY] * 12}, "field must have nothing that hangs"),
    (PLACEMENTS | {"heights": [0] * 5}, "heights"),
    (PLACEMENTS | {"heights": [0] * 5 + [14]}, "heights"),
    (SMASH | {"a": 6}, "a"),
    (SMASH | {"b": 0}, "b"),
    (SMASH | {"x": 6}, "x"),
    (SMASH | {"rot": 4}, "rot"),
    (SMASH | {"skulls": 10**40}, "skulls"),
    (SMASH | {"grid": [EMPTY] * 11 + ["6....."]}, "grid has '6'"),
    (PLAY | {"pairs": []}, "pairs"),
    (PLAY | {"pairs": [["R", "#"]]}, "pairs"),
    (PLAY | {"permutations": [[0, 1, 2, 3, 4, 4]]}, "permutations"),
    (PLAY | {"moves": [[[1, 0]]]}, "moves"),
    (PLAY | {"moves": [[None, None]] * 401}, "moves"),
]
"""Requests, and what the sentence of each refusal names."""
