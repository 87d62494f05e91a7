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


def frame(turn: int, tiles: str, *walls: int) -> dict[str, Any]:
    cells = list(zip(tiles.replace(" ", ""), map(abs, SETTING["points"]), strict=True))
    areas = [sum(points for tile, points in cells if tile == area) for area in "abc"]
    return {"turn": turn, "tiles": tiles.split(), "points": [[*both] for both in zip(walls, areas, strict=True)]}


EMPTY = ".... ...."


@pytest.mark.parametrize(
    ("tiles", "events"),
    [
        ([EMPTY, "A... ...."], []),
        (["AAA. AAA.", "Aaa. aAA."], ["Ann closes a ring: 3 cells, 9 points."]),
        (["AAA. AAA.", "Aaa. AAA."], []),
        (["aaa. ....", "Aac. ....", "Aac. ....", "Aac. ...."], ["Ann loses area: 1 cell, 3 points."]),
        (["aaa. ....", "Aac. ....", "Aac. ...."], []),
        (
            ["aaaa ....", "aaa. ....", "aaa. ....", "aa.. ....", "aa.. ....", "aa.. ...."],
            ["Ann loses area: 2 cells, 7 points."],
        ),
        (
            ["aaaa ....", "aaa. ....", "aaa. ....", "aaa. ....", "aa.. ....", "aa.. ....", "aa.. ...."],
            ["Ann loses area: 1 cell, 3 points."],
        ),
    ],
)
def test_commentary(tiles: list[str], events: list[str]) -> None:
    frames = [frame(turn, rows, 0, 0, 0) for turn, rows in enumerate(tiles)]
    found = [event for event in GAME.commentary(SETTING, frames) if event["kind"] != "lead"]
    assert told(GAME, found) == events
    assert all(event["turn"] == len(tiles) - 1 for event in found)


def test_a_lead_is_told_after_three_turns() -> None:
    frames = [frame(turn, EMPTY, 5, 9 if turn > 3 else 4, 0) for turn in range(8)]
    found = [told(GAME, GAME.commentary(SETTING, frames[:count])) for count in (6, 7, 8)]
    assert found == [[], ["Bob takes the lead with 9 points."], []]


def test_the_end_sums_up_rings_and_losses() -> None:
    tiles = ["AAA. AAA.", "Aaa. AAA.", "Aaa. Aaa.", "AA.. Aaa."]
    frames = [frame(turn, rows, 0, 0, 0) for turn, rows in enumerate(tiles)]
    assert told(GAME, GAME.closing(SETTING, frames)) == [
        "Ann loses area: 1 cell, 3 points.",
        "Ann closed 2 rings in all: 4 cells, 10 points.",
    ]
