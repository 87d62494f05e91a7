"""The judge refuses wrong questions with a sentence that names the fault."""

from __future__ import annotations

import json
from typing import Any

from games.kakomimasu.judge import judge

FILL: dict[str, Any] = {
    "op": "fill",
    "w": 2,
    "h": 1,
    "nplayer": 2,
    "points": [3, -4],
    "field": [[1, 0], [0, 1]],
}


TURN: dict[str, Any] = FILL | {
    "op": "turn",
    "nagent": 1,
    "totalTurn": 3,
    "turn": 3,
    "agents": [[[0, 0]], [[-1, -1]]],
    "actions": [[[0, 3, 1, 0]], []],
}


def test_answers_are_plain_json() -> None:
    assert json.loads(json.dumps(judge(FILL))) == {"field": [[1, 0], [0, 1]], "points": [[3, 0], [0, 4]]}
    assert json.loads(json.dumps(judge(FILL | {"fill": "2020"}))) == {"field": [[1, 0], [0, 1]]}
    assert json.loads(json.dumps(judge(TURN))) == {
        "field": [[1, 0], [1, 0]],
        "agents": [[[1, 0]], [[-1, -1]]],
        "res": [[0], []],
        "points": [[-1, 0], [0, 0]],
        "turn": 3,
        "status": "ended",
        "more": False,
    }


REQUESTS = [FILL, TURN]

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "op"),
    (FILL | {"fill": "2019"}, "fill"),
    (FILL | {"w": 3}, "points"),
    (FILL | {"w": 0, "points": [], "field": []}, "width"),
    (FILL | {"nplayer": 0}, "nplayer"),
    (FILL | {"nplayer": 5}, "nplayer"),
    (FILL | {"points": [1, 10**40]}, "points"),
    (FILL | {"field": [[1, 0]]}, "field"),
    (FILL | {"field": [[1, 0], [0, 2]]}, "field"),
    (FILL | {"field": [[1, 0], [1, -1]]}, "field"),
    (FILL | {"colour": 1}, "colour"),
    (TURN | {"turn": 4}, "turn"),
    (TURN | {"totalTurn": 1_001}, "totalTurn"),
    (TURN | {"nagent": 2}, "agents"),
    (TURN | {"agents": [[[2, 0]], [[-1, -1]]]}, "agents"),
    (TURN | {"agents": [[[0, 0]], [[0, 0]]]}, "agents"),
    (TURN | {"actions": [[]]}, "actions"),
]
"""Requests, and what the sentence of each refusal names."""
