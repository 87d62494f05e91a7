"""The data for viewers: setting, frames and commentary."""

from __future__ import annotations

from typing import Any

import pytest

from games.registry import game_named
from tests.core.told import told
from tests.games.back_to_the_code.test_protocol import board, play

GAME = game_named("back_to_the_code")


def test_frames() -> None:
    state = board((0, 0), (5, 3))
    first = {
        "turn": 0,
        "round": 0,
        "tiles": ["0.....", "......", "......", ".....1"],
        "seats": [[0, 0, 1, 0], [5, 3, 1, 0]],
        "scores": [1, 1],
        "settled": False,
    }
    assert GAME.frame(state, 0) == first
    state = play(state, "1 0", "5 2")
    state = GAME.disqualify(state, 0, 0)
    state = play(state, "", "BACK 7")
    assert GAME.frame(state, 0) == first | {"turn": 2, "seats": [[0, 0, 1, 1], [5, 3, 0, 0]]}


def frame(
    turn: int, scores: list[int], *, round_: int | None = None, backs: str = "11", settled: bool = False
) -> dict[str, Any]:
    return {
        "turn": turn,
        "round": turn if round_ is None else round_,
        "seats": [[0, 0, int(back), 0] for back in backs],
        "scores": scores,
        "settled": settled,
    }


def events_of(*frames: dict[str, Any]) -> list[str]:
    events = GAME.commentary({"players": 2}, frames)
    assert {event["turn"] for event in events} <= {frames[-1]["turn"]}
    return told(GAME, events)


@pytest.mark.parametrize(
    ("after", "events"),
    [
        (frame(5, [6, 5]), []),
        (frame(5, [7, 4]), []),
        (frame(5, [5, 10]), ["Bob closes a ring: 5 cells."]),
        (
            frame(5, [5, 4], settled=True),
            ["The ranking can no longer change: one more turn is played."],
        ),
        (
            frame(5, [3, 2], round_=2, backs="01"),
            ["Ann goes BACK to round 3; 4 cells set free."],
        ),
        (
            frame(5, [1, 2], round_=1, backs="00"),
            [
                "Ann goes BACK to round 2; 6 cells set free.",
                "Bob goes BACK to round 2; 6 cells set free.",
            ],
        ),
    ],
)
def test_commentary(after: dict[str, Any], events: list[str]) -> None:
    assert events_of(frame(4, [5, 4]), after) == events


def test_a_back_in_the_first_round_has_an_event() -> None:
    after = frame(1, [1, 2], backs="01")
    wasted = "Ann goes BACK in the first round: spent for nothing."
    assert events_of(frame(0, [1, 1]), after) == [wasted]


def test_the_end_sums_up_all_rings() -> None:
    frames = [frame(0, [1, 1]), frame(1, [2, 4]), frame(2, [3, 9]), frame(3, [6, 9]), frame(4, [2, 5], backs="01")]
    assert told(GAME, GAME.closing({"players": 2}, frames)) == ["Bob closed 2 rings in all: 6 cells."]
