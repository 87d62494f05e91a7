"""The data for viewers: setting, frames and commentary."""

from __future__ import annotations

from typing import Any

import pytest

from core.game import JsonObject
from core.message import Message, bot
from tests.core.told import told
from tests.games.puyo.positions import GAME, begun, play, supplied

SETTING: JsonObject = {
    "ruleset": "tsu",
    "columns": 6,
    "rows": 13,
    "hidden": 1,
    "colours": 4,
    "ticks": 400,
    "players": 2,
}


def test_frame() -> None:
    state = supplied(begun("22.... 112... 112...", "", carry=[30, 0]), (3, 4), (1, 2))
    state = play(state, "5 0", "0 1")
    assert GAME.frame(state, 0) == {
        "turn": 1,
        "fields": [["......"] * 11 + ["..2..4", "222..3"], ["......"] * 12 + ["34...."]],
        "pairs": [[[1, 2], [3, 4], [1, 2]]] * 2,
        "scores": [40, 0],
        "pending": [0, 1],
        "fixed": [0, 0],
        "all_clear": [False, False],
        "chain": [1, 0],
        "steps": [1, 0],
        "fallen": [0, 0],
        "dead": [False, False],
    }


def frame(turn: int, **changed: Any) -> JsonObject:
    """Return a frame with two empty fields and changed entries of the first seat."""
    entries = {"scores": 0, "steps": 0, "chain": 0, "all_clear": False, "fallen": 0, "dead": False, "rows": ()}
    by_seat = {name: [changed.get(name, value), value] for name, value in entries.items()}
    fields = [["......"] * (13 - len(rows)) + list(rows) for rows in by_seat.pop("rows")]
    return {"turn": turn, "fields": fields, **by_seat}


@pytest.mark.parametrize(
    ("frames", "events"),
    [
        ([frame(0), frame(1)], []),
        ([frame(0), frame(1, steps=1, scores=40)], []),
        ([frame(0, scores=5), frame(1, scores=45, steps=1)], []),
        ([frame(0), *(frame(turn, scores=40) for turn in range(1, 6))], ["Ann takes the lead with 40 points."]),
        ([frame(0), frame(1, scores=40), frame(2, scores=360, steps=2)], ["Ann sets off a chain of 2: 360 points."]),
        ([frame(1, scores=40), frame(2, scores=360, steps=2, chain=2)], []),
        (
            [frame(7, scores=1), frame(8, scores=41), frame(9, scores=81, steps=1, all_clear=True)],
            ["Ann has an all clear: its next chain sends 30 more."],
        ),
        ([frame(0, fallen=5), frame(1)], []),
        ([frame(0), frame(1, fallen=30)], []),
        ([frame(0), frame(1, fallen=30), frame(2, fallen=6), frame(3)], ["36 garbage puyos fall on Ann."]),
        (
            [frame(0, rows=["..1..."] * 8), frame(1, rows=["..1..."] * 10)],
            ["Ann has hardly any room left."],
        ),
        ([frame(0, rows=["..1..."] * 10), frame(1, rows=["..1..."] * 11)], []),
        (
            [frame(0, rows=["..1..."] * 9), frame(1, rows=["..1..."] * 12, dead=True)],
            [],
        ),
    ],
)
def test_commentary(frames: list[JsonObject], events: list[str]) -> None:
    found = GAME.commentary(SETTING, frames)
    assert told(GAME, found) == events
    assert all((event["turn"], event["seat"]) == (frames[-1]["turn"], 0) for event in found)


def test_the_end_tells_the_last_garbage_and_who_has_no_room() -> None:
    frames = [frame(0, fallen=5), frame(1, fallen=7, dead=True)]
    assert told(GAME, GAME.closing(SETTING, frames)) == ["12 garbage puyos fall on Ann."]
    assert GAME.reason(SETTING, frames, [2, 1], [900, 0]) == Message("no_room", {"other": bot(0)})
    assert GAME.reason(SETTING, frames, [1, 1], [900, 0]) == Message("no_room_at_all")
    last = frame(SETTING["ticks"], scores=900)
    assert GAME.reason(SETTING, [last], [1, 2], [900, 0]).kind == "more-points"


def test_a_whole_chain_of_smash_the_code_is_one_turn() -> None:
    frames = [frame(4, scores=100), frame(5, scores=460, steps=2)]
    found = GAME.commentary(SETTING | {"ruleset": "smash_the_code"}, frames)
    assert told(GAME, found) == ["Ann sets off a chain of 2: 360 points."]


def test_events_of_smash_the_code_count_puyos_and_have_no_danger() -> None:
    state = begun("", "", ruleset="smash_the_code", pending=[2, 0])
    assert GAME.frame(state, 0)["pending"] == [12, 0]
    state = play(state, "0 0", "0 0")
    assert (GAME.frame(state, 0)["pending"], GAME.frame(state, 0)["fallen"]) == ([0, 0], [12, 0])
    frames = [frame(0, rows=["..1..."] * 8), frame(1, rows=["..1..."] * 10)]
    assert GAME.commentary(SETTING | {"hidden": 0}, frames) == []
