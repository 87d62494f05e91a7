"""The data for viewers: setting, frames and commentary."""

from __future__ import annotations

from typing import Any

import pytest

from core.game import Event
from games.registry import game_named
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


def events_of(*frames: dict[str, Any]) -> list[Event]:
    return GAME.commentary({"players": 2}, frames)


def event(kind: str, seat: int | None, text: str, turn: int = 5) -> Event:
    return Event(turn=turn, kind=kind, seat=seat, text=text)


@pytest.mark.parametrize(
    ("after", "events"),
    [
        (frame(5, [6, 5]), []),
        (frame(5, [7, 4]), [event("enclosed", 0, "A ring closes: 1 cell.")]),
        (
            frame(5, [5, 9]),
            [event("enclosed", 1, "A ring closes: 4 cells."), event("lead", 1, "The lead, with 9 cells.")],
        ),
        (
            frame(5, [5, 4], settled=True),
            [event("settled", None, "The ranking can no longer change: one more turn is played.")],
        ),
        (
            frame(5, [3, 2], round_=2, backs="01"),
            [event("back", 0, "BACK: the match returns to round 3; 4 cells set free.")],
        ),
        (
            frame(5, [1, 2], round_=1, backs="00"),
            [
                event("back", 0, text := "BACK: the match returns to round 2; 6 cells set free."),
                event("back", 1, text),
                event("lead", 1, "The lead, with 2 cells."),
            ],
        ),
    ],
)
def test_commentary(after: dict[str, Any], events: list[Event]) -> None:
    assert events_of(frame(4, [5, 4]), after) == events


def test_a_back_in_the_first_round_has_an_event() -> None:
    after = frame(1, [1, 2], backs="01")
    wasted = event("back", 0, "BACK in the first round: spent for nothing.", turn=1)
    assert events_of(frame(0, [1, 1]), after) == [wasted, event("lead", 1, "The lead, with 2 cells.", turn=1)]


def test_a_tie_does_not_change_the_lead() -> None:
    tie, led = frame(4, [5, 5]), frame(3, [5, 4])
    assert events_of(led, tie, frame(5, [6, 5])) == []
    assert events_of(led, tie, frame(5, [5, 6])) == [event("lead", 1, "The lead, with 6 cells.")]
    assert events_of(frame(3, [4, 4]), tie, frame(5, [5, 6])) == [event("lead", 1, "The lead, with 6 cells.")]
