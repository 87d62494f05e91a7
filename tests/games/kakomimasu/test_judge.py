"""The judge refuses wrong questions with a sentence that names the fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from core.game import BadRequest
from games.kakomimasu.judge import judge
from tests.core.damage import damaged

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


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        ({}, "op"),
        (FILL | {"op": "fil"}, "op"),
        (FILL | {"fill": "2019"}, "fill"),
        (FILL | {"w": 3}, "points"),
        (FILL | {"w": 0, "points": [], "field": []}, "width"),
        (FILL | {"w": "2"}, "w"),
        (FILL | {"nplayer": 0}, "nplayer"),
        (FILL | {"nplayer": 5}, "nplayer"),
        (FILL | {"points": [1.5, 2]}, "points"),
        (FILL | {"points": [1, 10**40]}, "points"),
        (FILL | {"field": [[1, 0]]}, "field"),
        (FILL | {"field": [[1, 0], [0, 2]]}, "field"),
        (FILL | {"field": [[1, 0], [2, 0]]}, "field"),
        (FILL | {"field": [[1, 0], [1, -1]]}, "field"),
        (FILL | {"field": [[1, 0], [0, -2]]}, "field"),
        (FILL | {"colour": 1}, "colour"),
        (TURN | {"turn": 4}, "turn"),
        (TURN | {"turn": 0}, "turn"),
        (TURN | {"totalTurn": 1_001}, "totalTurn"),
        (TURN | {"nagent": 2}, "agents"),
        (TURN | {"agents": [[[0, 0]]]}, "agents"),
        (TURN | {"agents": [[[2, 0]], [[-1, -1]]]}, "agents"),
        (TURN | {"agents": [[[-1, 0]], [[-1, -1]]]}, "agents"),
        (TURN | {"agents": [[[0, 0]], [[0, 0]]]}, "agents"),
        (TURN | {"actions": [[]]}, "actions"),
        (TURN | {"actions": [[[0, 3, 1]], []]}, "actions"),
    ],
)
def test_bad_requests_name_the_field(request_: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadRequest, match=complaint):
        judge(request_)


@settings(deadline=None, max_examples=200)
@given(damaged([FILL, TURN]))
def test_damaged_questions_are_answered_or_refused(request_: dict[str, Any]) -> None:
    """If a value is replaced by any other, the judge answers or raises BadRequest."""
    try:
        answer = judge(request_)
    except BadRequest:
        return
    assert len(answer["field"]) == request_["w"] * request_["h"]
