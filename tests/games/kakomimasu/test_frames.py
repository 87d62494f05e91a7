"""The data for viewers: setting, frames and commentary."""

from __future__ import annotations

from typing import Any

import pytest

from games.registry import game_named
from tests.core.told import told
from tests.games.kakomimasu.test_protocol import begin, play

GAME = game_named("kakomimasu")


SETTING = {"width": 4, "height": 2, "points": [1, -5, 3, 4, 1, 1, 1, 1], "players": 3}


def test_setting_and_frames() -> None:
    state = begin()
    assert GAME.setting(state, 0) == {
        "width": 3,
        "height": 2,
        "points": [1, -2, 3, 4, 5, -16],
        "agents": 2,
        "turns": 3,
        "players": 2,
    }
    assert GAME.frame(state, 0) == {
        "turn": 0,
        "tiles": ["...", "..."],
        "agents": [[[-1, -1], [-1, -1]], [[-1, -1], [-1, -1]]],
        "points": [[0, 0], [0, 0]],
        "results": [[-1, -1], [-1, -1]],
    }
    state = play(state, ["PUT 0 0", "PUT 1 1"], ["PUT 2 1", "NONE"])
    assert GAME.frame(state, 0) == {
        "turn": 1,
        "tiles": ["A..", ".AB"],
        "agents": [[[0, 0], [1, 1]], [[2, 1], [-1, -1]]],
        "points": [[6, 0], [-16, 0]],
        "results": [[0, 0], [0, 5]],
    }


def frame(turn: int, tiles: str, *totals: int) -> dict[str, Any]:
    return {"turn": turn, "tiles": tiles.split(), "points": [[total, 0] for total in totals]}


@pytest.mark.parametrize(
    ("before", "after", "events"),
    [
        (frame(0, ".... ....", 0, 0, 0), frame(1, "A... ....", 0, 0, 0), []),
        (frame(0, ".... ....", 0, 0, 0), frame(1, ".B.. ....", 0, 4, 0), ["Bob takes the lead with 4 points."]),
        (frame(3, ".... ....", 1, 4, 0), frame(4, ".... ....", 1, 9, 0), []),
        (frame(3, ".... ....", 1, 4, 0), frame(4, ".... ....", 4, 4, 0), []),
        (
            frame(3, "AAA. ....", 4, 9, 0),
            frame(4, "Aaa. ....", 8, 9, 0),
            ["Ann closes a ring: 2 cells, 8 points."],
        ),
        (
            frame(3, "AAA. ....", 4, 9, 0),
            frame(4, "A.a. ....", 12, 9, 0),
            ["Ann closes a ring: 1 cell, 3 points, and the lead."],
        ),
        (
            frame(3, "aaa. ....", 20, 9, 0),
            frame(4, "Aac. ....", 18, 9, 3),
            ["Ann loses area: 1 cell, 3 points.", "Cid closes a ring: 1 cell, 3 points."],
        ),
        (
            frame(3, "...a ....", 20, 9, 0),
            frame(4, "...C ....", 2, 9, 4),
            ["Ann loses area: 1 cell, 4 points.", "Bob takes the lead with 9 points."],
        ),
    ],
)
def test_commentary(before: dict[str, Any], after: dict[str, Any], events: list[str]) -> None:
    found = GAME.commentary(SETTING, [before, after])
    assert told(GAME, found) == events
    assert all(event["turn"] == after["turn"] for event in found)
