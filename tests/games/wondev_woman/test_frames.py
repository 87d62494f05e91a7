"""The data for viewers: setting, frames and commentary."""

from __future__ import annotations

from typing import Any

import pytest

from core.game import JsonObject
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named
from tests.core.told import told
from tests.games.wondev_woman.positions import board, state_of

GAME = game_named("wondev_woman")
ROWS = ["00000", "02300", "00000", "00000", "00000"]


def test_setting_and_frames() -> None:
    state = state_of(board(3, ROWS, [(1, 1), (0, 4), (3, 3), (4, 4)], points=(2, 0)))
    assert GAME.setting(state, 0) == {"size": 5, "units": 2, "league": 3}
    assert GAME.frame(state, 0) == {
        "turn": 0,
        "rows": ROWS,
        "units": [[[1, 1], [0, 4]], [[3, 3], [4, 4]]],
        "scores": [2, 0],
        "out": [False, False],
        "mover": 0,
        "actions": len(GAME.observe(state, 0, 0)) - 10,
    }
    played = GAME.idle(state)
    played[0, 0] = GAME.parse(state, 0, 0, ["MOVE&BUILD 0 E W"])
    assert GAME.frame(GAME.step(state, played), 0) == {
        "turn": 1,
        "rows": [ROWS[0], "03300", *ROWS[2:]],
        "units": [[[2, 1], [0, 4]], [[3, 3], [4, 4]]],
        "scores": [3, 0],
        "out": [False, False],
        "mover": 1,
        "actions": len(GAME.observe(GAME.step(state, played), 0, 1)) - 10,
    }


def events_of(league: int, rows: list[str], units: list[tuple[int, int]], line: str, **more: Any) -> list[str]:
    """Return the sentences of the events of one action of the seat to move."""
    state = state_of(board(league, rows, units, **more))
    seat = int(state.mover[0])
    played = GAME.idle(state)
    played[0, seat] = GAME.parse(state, 0, seat, [line])
    frames = [GAME.frame(each, 0) for each in (state, GAME.step(state, played))]
    setting = GAME.setting(state, 0)
    events = [*GAME.commentary(setting, frames), *GAME.closing(setting, frames)]
    assert all(event["turn"] == 1 for event in events)
    return told(GAME, events)


FLAT = ["00000"] * 5


@pytest.mark.parametrize(
    ("rows", "units", "line", "points", "events"),
    [
        (ROWS, [(1, 1), (0, 4), (3, 3), (4, 4)], "MOVE&BUILD 0 N E", (0, 0), []),
        (
            ROWS,
            [(1, 1), (0, 4), (3, 3), (4, 4)],
            "MOVE&BUILD 0 E W",
            (0, 0),
            ["Ann climbed to the top: 1 point."],
        ),
        (ROWS, [(1, 1), (0, 4), (3, 3), (4, 4)], "MOVE&BUILD 0 E W", (1, 2), ["Ann climbed to the top: 2 points."]),
        (FLAT, [(0, 2), (0, 4), (1, 2), (4, 2)], "PUSH&BUILD 0 E E", (0, 0), ["Ann pushed a unit of Bob away."]),
        (
            FLAT,
            [(0, 2), (0, 4), (1, 2), (2, 2)],
            "PUSH&BUILD 0 E E",
            (0, 0),
            ["Ann met a hidden unit: nothing was built."],
        ),
        (
            FLAT,
            [(0, 2), (0, 4), (2, 2), (4, 4)],
            "MOVE&BUILD 1 NE NE",
            (0, 0),
            ["Ann met a hidden unit: nothing was built."],
        ),
        (
            FLAT,
            [(0, 0), (0, 4), (2, 2), (4, 4)],
            "ACCEPT-DEFEAT",
            (1, 0),
            ["Ann is out of the match: it accepts defeat."],
        ),
        (
            ["00.0.", "00.44", ".....", "44444", "44440"],
            [(0, 0), (1, 1), (3, 0), (4, 4)],
            "MOVE&BUILD 0 E W",
            (0, 0),
            [],
        ),
    ],
)
def test_commentary(
    rows: list[str], units: list[tuple[int, int]], line: str, points: tuple[int, int], events: list[str]
) -> None:
    assert events_of(3, rows, units, line, points=points) == events


def test_a_single_action_is_a_last_chance() -> None:
    rows = ["00444", "00444", "44444", "44003", "44444"]
    events = events_of(1, rows, [(0, 0), (3, 3)], "MOVE&BUILD 0 E W")
    assert events == ["Bob has a single legal action left."]


def test_the_start_and_seats_already_out_have_no_events() -> None:
    state = GAME.reset([0])
    setting = GAME.setting(state, 0)
    assert GAME.commentary(setting, [GAME.frame(state, 0)]) == []
    out = GAME.disqualify(state, 0, 0)
    after = GAME.step(out, GAME.idle(out))
    assert GAME.commentary(setting, [GAME.frame(out, 0), GAME.frame(after, 0)]) == []


def test_a_fault_has_one_event() -> None:
    def answer(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply(["ACCEPT-DEFEAT"] if turn.number == 2 else ["FLY"], 1.0, 2.0) for ask in turn.asks}

    _, records = drive(play(GAME, seed=1, seats=[SeatInfo("a"), SeatInfo("b")]), answer)
    kinds = [(event["kind"], event["seat"]) for record in records[1:-1] for event in record["events"]]
    assert kinds.count(("fault", 0)) == 1
    assert ("out", 0) not in kinds
    assert kinds.count(("out", 1)) == 1


def test_what_a_seat_repeats_is_told_once_when_it_does_something_else() -> None:
    """Both seats move in turn; Ann pushes twice, then moves, and Bob climbs to the top until the end."""
    rows, away, back = ["..."], [[0, 0]], [[1, 0]]
    frames: list[JsonObject] = [{"turn": 0, "rows": [], "units": [[[5, 5]], away], "scores": [0, 0], "mover": 0}]
    for turn, foes in enumerate([back, back, away, away, away, away], 1):
        rows, points = [str(turn)], turn // 2
        frames.append({"turn": turn, "rows": rows, "units": [[[5, 5]], foes], "scores": [0, points], "mover": turn % 2})
    frames = [{"out": [False, False], "actions": 9} | frame for frame in frames]
    setting = {"league": 3}
    events = {turn: told(GAME, GAME.commentary(setting, frames[: turn + 1])) for turn in range(1, 7)}
    assert events[5] == ["Ann pushed units of Bob away 2 times in a row.", "Bob takes the lead with 2 points."]
    assert [turn for turn in events if events[turn]] == [5]
    assert told(GAME, GAME.closing(setting, frames)) == ["Bob climbed to the top 3 times in a row: 3 points."]


@pytest.mark.parametrize(
    ("scores", "kind"), [([1, 0], "top"), ([0, -1], "others-out"), ([0, 0], "equal-points"), ([1, 1], "equal-points")]
)
def test_the_first_on_the_top_wins_league_0(scores: list[int], kind: str) -> None:
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    assert GAME.reason({"league": 0}, [], ranks, scores).kind == kind
