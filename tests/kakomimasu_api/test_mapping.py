"""The API of Kakomimasu says what our replays hold, field by field, and our protocol what its players send."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import convert

from core.record import TurnLine
from core.referee import Reply, SeatInfo, Turn, drive, play
from games.kakomimasu.boards import Board, named
from games.registry import game_named
from kakomimasu_api.bodies import Action, Actions, Code, Join, JoinAi, Refused, body_read
from kakomimasu_api.mapping import Frame, Player, Shown, Times, answer_of, game_json, orders_of

BOARD = Board(named("A-1").points, 2, 3)
PLAYERS = [Player("Ada", is_guest=True), Player("rings", is_guest=False)]
TIMES = Times(2, 1, 1_700_000_005)
ORDERS = [
    (["PUT 1 1", "NONE"], ["PUT 4 4", "PUT 4 4"]),
    (["MOVE 2 1 a remark", "PUT 0 0"], ["PUT 99 0", "NONE"]),
    (["REMOVE 1 1", "NONE"], ["NONE", "NONE"]),
]


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    """The replay of a short match."""

    def answers(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply(ORDERS[turn.number - 1][ask.seat]) for ask in turn.asks}

    options = {"board": "A-1", "agents": 2, "turns": 3}
    match = play(game_named("kakomimasu"), seed=1, seats=[SeatInfo("Ada"), SeatInfo("rings")], options=options)
    _outcome, found = drive(match, answers)
    return found


def told(records: list[dict[str, Any]], played: int, **changes: Any) -> dict[str, Any]:
    turns = [convert(record, TurnLine) for record in records[1 : 1 + played]]
    shown = Shown("gaming", played + 1, convert(records[0]["frame"], Frame), turns)._replace(**changes)
    return game_json(key="key", name="Ada - rings", board=BOARD, players=PLAYERS, times=TIMES, shown=shown)


def test_a_game_before_its_first_turn(records: list[dict[str, Any]]) -> None:
    game = told(records, 0, status="ready", turn=0)
    field = game.pop("field")
    assert game == {
        "id": "key",
        "gameId": "key",
        "name": "Ada - rings",
        "status": "ready",
        "turn": 0,
        "totalTurn": 3,
        "nPlayer": 2,
        "nAgent": 2,
        "players": [
            {
                "id": name,
                "spec": "",
                "type": kind,
                "agents": [{"x": -1, "y": -1}] * 2,
                "point": {"areaPoint": 0, "wallPoint": 0},
            }
            for name, kind in (("Ada", "guest"), ("rings", "account"))
        ],
        "log": [],
        "startedAtUnixTime": 1_700_000_005,
        "nextTurnUnixTime": 1_700_000_005,
        "operationSec": 2,
        "transitionSec": 1,
        "reservedUsers": [],
        "type": "normal",
    }
    assert (field["width"], field["height"]) == (10, 10)
    assert field["points"][:5] == [12, 3, 5, 3, 1]
    assert field["tiles"] == [{"type": 0, "player": None}] * 100


def test_a_game_in_its_third_turn(records: list[dict[str, Any]]) -> None:
    game = told(records, 2)
    assert (game["turn"], game["nextTurnUnixTime"]) == (3, 1_700_000_005 + 9)
    walls = {cell: tile for cell, tile in enumerate(game["field"]["tiles"]) if tile["player"] is not None}
    assert walls == {cell: {"type": 1, "player": 0} for cell in (0, 11, 12)}
    assert game["players"][0]["agents"] == [{"x": 2, "y": 1}, {"x": 0, "y": 0}]
    assert game["players"][0]["point"] == {"areaPoint": 0, "wallPoint": 12 + 5 + 7}
    first, second = game["log"]
    assert first["players"][0] == {
        "point": {"areaPoint": 0, "wallPoint": 5},
        "actions": [{"agentId": 0, "type": 1, "x": 1, "y": 1, "res": 0}],
    }
    assert [action["res"] for action in first["players"][1]["actions"]] == [1, 1], "a conflict"
    assert second["players"][0]["actions"][0] == {"agentId": 0, "type": 3, "x": 2, "y": 1, "res": 0}
    assert second["players"][1]["actions"] == [{"agentId": 0, "type": 1, "x": 99, "y": 0, "res": 5}]


def test_an_ended_game_has_no_next_turn(records: list[dict[str, Any]]) -> None:
    game = told(records, 3, status="ended", turn=3)
    assert (game["status"], game["turn"], game["nextTurnUnixTime"], len(game["log"])) == ("ended", 3, None, 3)
    assert game["log"][2]["players"][0]["actions"][0]["type"] == 4


def test_area_is_told_as_area() -> None:
    frame = Frame(["aB", ".?"], [[(0, 0)], [(1, 0)]], [(0, 3), (1, 0)], [[0], [0]])
    shown = Shown("gaming", 1, frame, [])
    game = game_json(key="", name="", board=BOARD, players=PLAYERS, times=TIMES, shown=shown)
    nobody = {"type": 0, "player": None}
    assert game["field"]["tiles"] == [{"type": 0, "player": 0}, {"type": 1, "player": 1}, nobody, nobody]
    assert game["players"][0]["point"] == {"areaPoint": 3, "wallPoint": 0}


def test_a_free_game_shows_no_board() -> None:
    shown, times = Shown("free", 0, None, []), Times(1, 1, None)
    game = game_json(key="", name="", board=BOARD, players=PLAYERS[:1], times=times, shown=shown)
    assert (game["field"], game["startedAtUnixTime"], game["nextTurnUnixTime"]) == (None, None, None)
    assert game["players"][0]["agents"] == []


@pytest.mark.parametrize(
    ("into_the_game", "turn", "takes_actions"),
    [
        (-1_000.0, 0, False),
        (-0.001, 0, False),
        (0.0, 1, True),
        (1.999, 1, True),
        (2.0, 1, False),
        (2.999, 1, False),
        (3.0, 2, True),
        (300.5, 101, True),
    ],
)
def test_a_turn_takes_actions_for_its_operation_time(into_the_game: float, turn: int, takes_actions: bool) -> None:
    assert TIMES.started_at
    assert TIMES.moment(TIMES.started_at + into_the_game) == (turn, takes_actions)


def test_without_a_start_there_is_no_turn_and_no_next_one() -> None:
    waiting = TIMES._replace(started_at=None)
    assert (waiting.moment(2e9), waiting.next_turn(0)) == ((0, False), None)


def test_actions_become_lines() -> None:
    sent = [
        Action(0, "PUT", 3, 4),
        Action(1, "MOVE", 1, 1),
        Action(1, "REMOVE", -1, 10**30),
        Action(3, "NONE"),
        Action(-1, "PUT", 0, 0),
        Action(10**20, "PUT", 0, 0),
    ]
    lines = answer_of(orders_of(sent), agents=5)
    assert lines == ["PUT 3 4", "REMOVE -1 -1", "NONE", "NONE", "NONE"]
    game = game_named("kakomimasu")
    state = game.reset([1], 2, {"board": "A-1", "agents": 5})
    game.parse(state, 0, 0, lines)  # legal


def test_what_is_left_out_or_null_has_its_default() -> None:
    wanted = body_read(b'{"aiName": "rings", "guestName": "Ada", "boardName": null, "more": 1}', JoinAi)
    assert wanted == JoinAi(ai_name="rings", guest_name="Ada")
    times = b'{"aiName": "rings", "operationSec": 60, "transitionSec": 1, "totalTurn": null, "nAgent": null}'
    assert body_read(times, JoinAi) == JoinAi(ai_name="rings", operation_sec=60, transition_sec=1)
    idle = b'{"actions": [{"agentId": 0, "type": "NONE", "x": null}], "dryRun": null}'
    assert body_read(idle, Actions) == Actions([Action(0, "NONE")])
    assert body_read(b'{"spec": "x", "dryRun": true}', Join) == Join(spec="x", dry_run=True)


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"", Join, Code.SYNTAX),
        (b"\xff{}", Join, Code.SYNTAX),
        (b"[" * 10_000, Join, Code.SYNTAX),
        (b"[]", Join, Code.REQUEST),
        (b'{"guestName": 7}', Join, Code.REQUEST),
        (b'{"spec": "%s"}' % (b"x" * 1_001), Join, Code.REQUEST),
        (b"{}", JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "nAgent": 0}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "nAgent": 1000000}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "totalTurn": 100000}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "operationSec": 0}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "operationSec": 0.5}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "operationSec": 61}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "transitionSec": 0}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "transitionSec": 61}', JoinAi, Code.REQUEST),
        (b'{"aiName": null}', JoinAi, Code.REQUEST),
        (b'{"aiName": "a", "nPlayer": 4}', JoinAi, Code.REQUEST),
        (b"{}", Actions, Code.REQUEST),
        (b'{"actions": {}}', Actions, Code.REQUEST),
        (b'{"actions": [{"agentId": 0, "type": "PUT"}]}', Actions, Code.REQUEST),
        (b'{"actions": [{"agentId": 0, "type": "FLY", "x": 0, "y": 0}]}', Actions, Code.REQUEST),
        (b'{"actions": [{"agentId": "0", "type": "NONE"}]}', Actions, Code.REQUEST),
        (b'{"actions": [%s]}' % (b" " * 20_000), Actions, Code.REQUEST),
    ],
)
def test_what_is_no_request_is_refused(body: bytes, kind: type[msgspec.Struct], code: Code) -> None:
    with pytest.raises(Refused) as refused:
        body_read(body, kind)
    assert refused.value.code is code
