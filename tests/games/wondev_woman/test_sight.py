"""What a player at a table sees in the fog: no more than the questions tell a bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from core.game import JsonObject
from core.referee import Reply, SeatInfo, Turn, drive, play
from core.sight import Sight
from games.registry import game_named
from tests.games.wondev_woman.positions import board, state_of

GAME = game_named("wondev_woman")
DIRECTIONS = {"N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "W": (-1, 0)}
DIRECTIONS["NW"] = (-1, -1)
HIDDEN = [-1, -1]


class Bot:
    """Rebuilds frames from a seat's questions and its own answers."""

    def __init__(self, seat: int) -> None:
        self.seat, self.points, self.size, self.units = seat, 0, 0, 0

    def frame(self, lines: tuple[str, ...]) -> JsonObject:
        """Return the frame that a question tells, without turn and without seats that are out."""
        if not self.size:
            self.size, self.units, lines = int(lines[0]), int(lines[1]), lines[2:]
        self.rows = list(lines[: self.size])
        places = [[*map(int, line.split())] for line in lines[self.size : self.size + 2 * self.units]]
        self.own, foes = places[: self.units], places[self.units :]
        actions = int(lines[self.size + 2 * self.units])
        seats = (self.own, foes) if self.seat == 0 else (foes, self.own)
        scores = (self.points, None) if self.seat == 0 else (None, self.points)
        return {"rows": self.rows, "units": [*seats], "scores": [*scores], "mover": self.seat, "actions": actions}

    def answered(self, line: str) -> None:
        """Count the point of a move to the top."""
        kind, unit, first, _ = line.split()
        (x, y), (dx, dy) = self.own[int(unit)], DIRECTIONS[first]
        self.points += kind == "MOVE&BUILD" and self.rows[y + dy][x + dx] == "3"


def sighted_match(seed: int) -> tuple[list[list[JsonObject]], list[list[tuple[int, JsonObject]]]]:
    """Play at random; return for each seat the lines shown to it, and the frames that its questions tell, by turn."""
    rng = np.random.default_rng(seed)
    sights, bots = [Sight(GAME, seat) for seat in range(2)], [Bot(seat) for seat in range(2)]
    shown: list[list[JsonObject]] = [[], []]
    told: list[list[tuple[int, JsonObject]]] = [[], []]

    def replies(turn: Turn) -> Mapping[int, Reply]:
        for seat in range(2):
            shown[seat] += sights[seat].records(turn)
        (ask,) = turn.asks
        told[ask.seat].append((turn.number - 1, bots[ask.seat].frame(ask.lines)))
        lines = GAME.random_answer(ask.state, 0, ask.seat, rng)
        if lines != ["ACCEPT-DEFEAT"]:
            bots[ask.seat].answered(lines[0])
        return {ask.seat: Reply(lines)}

    drive(play(GAME, seed=seed, seats=[SeatInfo("a"), SeatInfo("b")]), replies)
    return shown, told


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_frames_tell_no_more_than_the_questions(seed: int) -> None:
    shown, told = sighted_match(seed)
    for seat in range(2):
        frames = [line["frame"] for line in shown[seat]]
        known = dict(told[seat])
        last: JsonObject = {"units": frames[0]["units"]}
        for turn, frame in enumerate(frames):
            assert frame["turn"] == turn
            if turn in known:
                last = known[turn]
            elif not last.keys() - {"units"}:  # before its first question it sees where it stands
                assert frame["units"][1 - seat] == [HIDDEN, HIDDEN]
                assert {char for row in frame["rows"] for char in row} <= {"0", "."}
                continue
            assert {name: frame[name] for name in last} == last
        assert [HIDDEN, HIDDEN] in [frame["units"][1 - seat] for frame in frames], "there is fog"
        assert any(place != HIDDEN for frame in frames for place in frame["units"][1 - seat]), "units meet"


def test_lines_have_neither_seed_nor_answers_nor_comments_of_others() -> None:
    shown, _ = sighted_match(1)
    for seat, (header, *turns) in enumerate(shown):
        assert header["seed"] == 0
        assert all(line["seats"][1 - seat] is None for line in turns)
        assert any(line["seats"][seat] for line in turns)
        assert {event["seat"] for line in turns for event in line["events"]} <= {seat}


ROWS = ["00000", "02300", "00000", "00000", "00000"]


def seen(seat: int, **changes: Any) -> JsonObject:
    return GAME.seen(
        state_of(board(changes.pop("league", 3), ROWS, [(1, 1), (0, 4), (2, 2), (4, 4)], **changes)), 0, seat
    )


def test_a_seat_sees_near_units_in_its_turn_and_its_own_points() -> None:
    own = seen(0, points=(2, 1))
    assert (own["units"], own["scores"]) == ([[[1, 1], [0, 4]], [[2, 2], HIDDEN]], [2, None])
    assert own["actions"] > 0
    other = seen(1, points=(2, 1))
    assert (other["units"], other["scores"]) == ([[HIDDEN, HIDDEN], [[2, 2], [4, 4]]], [None, 1])
    assert other["actions"] is None


def test_without_fog_a_seat_sees_everything() -> None:
    assert seen(0, league=2)["units"] == [[[1, 1], [0, 4]], [[2, 2], [4, 4]]]
    assert seen(1, league=2)["actions"] > 0
