"""Says in the words of the API what happens at a table, and in those of our protocol what its players want.

Our replays number kinds and results of orders as the project's own logs do (``games.kakomimasu.state``), so numbers
need no translation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from core.record import TurnLine
from games.kakomimasu.boards import Board
from games.kakomimasu.state import SEATS_MAX, Kind
from kakomimasu_api.bodies import Action

Status = Literal["free", "ready", "gaming", "ended"]
IDLE = "NONE"
"""The line of an answer by which an agent does nothing."""
_OFF = -1
"""Coordinates of an agent that is off the board."""
_COORDINATE_DIGITS = 9
"""Our protocol reads no longer numbers."""
_WALL, _AREA = 1, 0
_NEUTRAL = {"type": _AREA, "player": None}
_TILES = {".": _NEUTRAL}
_TILES |= {"ABCD"[seat]: {"type": _WALL, "player": seat} for seat in range(SEATS_MAX)}
_TILES |= {"abcd"[seat]: {"type": _AREA, "player": seat} for seat in range(SEATS_MAX)}


class Frame(msgspec.Struct, frozen=True):
    """What the API needs of a frame of a replay (``games.kakomimasu.frames.frame``)."""

    tiles: list[str]
    agents: list[list[tuple[int, int]]]
    points: list[tuple[int, int]]
    """For each seat, its points for walls and its points for area."""
    results: list[list[int]]


class Player(NamedTuple):
    """Who has a seat."""

    name: str
    is_guest: bool
    spec: str = ""
    """What he said of his program when he joined."""


class Times(NamedTuple):
    """When the turns of a game are."""

    operation_seconds: int
    transition_seconds: int
    started_at: int | None
    """Unix time at which the first turn begins; None: not known yet."""

    def next_turn(self, turn: int) -> int | None:
        """Return the Unix time at which the turn after ``turn`` begins, or would begin; None if it is not known yet."""
        if self.started_at is None:
            return None
        return self.started_at + turn * (self.operation_seconds + self.transition_seconds)

    def moment(self, now: float) -> tuple[int, bool]:
        """Return which turn it is by the clock alone, 0 before the first one, and whether it takes actions then.

        ``now`` is a Unix time.
        """
        if self.started_at is None or now < self.started_at:
            return 0, False
        turn, passed = divmod(now - self.started_at, self.operation_seconds + self.transition_seconds)
        return int(turn) + 1, passed < self.operation_seconds


class Shown(NamedTuple):
    """What everybody may see of a game now."""

    status: Status
    turn: int
    """0: it has not begun."""
    first: Frame | None
    """The frame before the first turn; None: no table plays the game yet, or it ended without a result."""
    turns: Sequence[TurnLine]
    """The turns that have been played."""


def game_json(
    *, key: str, name: str, board: Board, players: Sequence[Player], times: Times, shown: Shown
) -> dict[str, Any]:
    """Return a game as the API tells it.

    Args:
        key: the game's id.
        name: what people call it.
        board: with its numbers of agents and turns.
        players: those who have joined; bots are no guests.
        times: when its turns are.
        shown: what has happened.

    Raises:
        msgspec.ValidationError: a frame is none of Kakomimasu.
    """
    frames = [msgspec.convert(turn.frame, Frame) for turn in shown.turns]
    last = frames[-1] if frames else shown.first
    return {
        "id": key,
        "gameId": key,
        "name": name,
        "status": shown.status,
        "turn": shown.turn,
        "totalTurn": board.turns,
        "nPlayer": 2,
        "nAgent": board.agents,
        "field": last and _field(board, last),
        "players": [_player(seat, player, last) for seat, player in enumerate(players)],
        "log": [_log(turn, frame) for turn, frame in zip(shown.turns, frames, strict=True)],
        "startedAtUnixTime": times.started_at,
        "nextTurnUnixTime": None if shown.status in ("free", "ended") else times.next_turn(shown.turn),
        "operationSec": times.operation_seconds,
        "transitionSec": times.transition_seconds,
        "reservedUsers": [],
        "type": "normal",
    }


def _field(board: Board, frame: Frame) -> dict[str, Any]:
    height, width = board.points.shape
    return {
        "width": width,
        "height": height,
        "points": board.points.reshape(-1).tolist(),
        "tiles": [_TILES.get(tile, _NEUTRAL) for row in frame.tiles for tile in row],
    }


def _player(seat: int, player: Player, frame: Frame | None) -> dict[str, Any]:
    agents = frame.agents[seat] if frame else []
    walls, area = frame.points[seat] if frame else (0, 0)
    return {
        "id": player.name,
        "spec": player.spec,
        "type": "guest" if player.is_guest else "account",
        "agents": [{"x": x, "y": y} for x, y in agents],
        "point": {"areaPoint": area, "wallPoint": walls},
    }


def _log(turn: TurnLine, frame: Frame) -> dict[str, Any]:
    players = []
    for seat, (walls, area) in enumerate(frame.points):
        recorded = turn.seats[seat]
        lines = recorded.answer if recorded else []
        actions = [
            _logged(agent, line, result)
            for agent, (line, result) in enumerate(zip(lines, frame.results[seat], strict=False))
            if line.split(" ", 1)[0] != IDLE
        ]
        players.append({"point": {"areaPoint": area, "wallPoint": walls}, "actions": actions})
    return {"players": players}


def _logged(agent: int, line: str, result: int) -> dict[str, int]:
    kind, x, y = [*line.split(" "), "", ""][:3]
    number = int(Kind.__members__.get(kind, Kind.NONE))
    return {"agentId": agent, "type": number, "x": _number(x), "y": _number(y), "res": result}


def _number(text: str) -> int:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) <= _COORDINATE_DIGITS + 1 else _OFF


def orders_of(actions: Iterable[Action]) -> dict[int, str]:
    """Return, by agent, the line of an answer for each that is told something; of several the last counts."""
    return {
        action.agent_id: IDLE if action.type == IDLE else f"{action.type} {_short(action.x)} {_short(action.y)}"
        for action in actions
    }


def _short(coordinate: int | None) -> int:
    """Return a coordinate; one that no board has, and our protocol cannot read, becomes one off the board."""
    return coordinate if coordinate is not None and abs(coordinate) < 10**_COORDINATE_DIGITS else _OFF


def answer_of(orders: Mapping[int, str], *, agents: int) -> list[str]:
    """Return the lines of an answer, one for each of ``agents`` agents; an agent without an order does nothing.

    Orders to agents that do not exist have no effect, as in the project's own server.
    """
    return [orders.get(agent, IDLE) for agent in range(agents)]
