"""Answers questions about the rules: one JSON object in, one out, as in the recorded vectors.

``version`` is the league. ``units`` are [x, y] of the first seat's units, then of the second seat's.

``"cmd": "init"``: seed mapIndex symmetric version -> rows units scores dead over init_input mapIndex.
``"cmd": "legal"``: rows units scores dead player version -> legal, and input: the lines that this player is asked with.
``"cmd": "apply"``: the same and action -> ok, then move_valid place_valid score_point, or error code; message rows
units scores dead over, and in league 0 won. As for the contest's referee, PUSH&BUILD must be in capitals.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from core.game import BadRequest, JsonObject
from games.wondev_woman import actions, maps, protocol, rules, view
from games.wondev_woman.actions import KINDS, Action
from games.wondev_woman.board import SIZE_MAX
from games.wondev_woman.refusals import Refusal, refusal
from games.wondev_woman.state import SEATS, League, Position, State, batch

_MESSAGE_MAX, _MESSAGE_CUT = 48, 46
"""The greatest length of a message, and the length to which a longer one is cut, in UTF-16 units as in Java."""

Seat = Literal[0, 1]
Points = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class _Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="cmd"):
    """The fields that all questions may have."""

    version: Annotated[int, msgspec.Meta(ge=0, le=3)] = 3
    id: Any = None
    """Number of a recorded vector; ignored."""
    tag: Any = None
    """Kind of a recorded vector; ignored."""


class _Init(_Question, frozen=True, kw_only=True, tag="init"):
    """The question with which position a match begins."""

    seed: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    mapIndex: int = -1  # noqa: N815 - the vectors' name
    symmetric: bool = False


class _Legal(_Question, frozen=True, kw_only=True, tag="legal"):
    """The question which actions are legal for a player in a position."""

    rows: list[str]
    units: list[tuple[int, int]]
    scores: tuple[Points, Points] = (0, 0)
    dead: tuple[Seat, Seat] = (0, 0)
    player: Seat


class _Apply(_Legal, frozen=True, kw_only=True, tag="apply"):
    """The question which position follows when a player answers the line ``action``."""

    action: str


def judge(request: JsonObject) -> JsonObject:
    """Return the answer to a question, both as this module describes them.

    Raises:
        BadRequest: the question is malformed, or its position impossible.
    """
    try:
        question = msgspec.convert(request, _Init | _Legal | _Apply)
    except msgspec.ValidationError as error:
        raise BadRequest(str(error)) from error
    if isinstance(question, _Init):
        return _init(question)
    rows, units = question.rows, question.units
    side, number = len(rows), SEATS * League(question.version).units
    checks = {
        f"rows must be 1 to {SIZE_MAX}, as long as they are many": not 1 <= side <= SIZE_MAX
        or any(len(row) != side for row in rows),
        "rows must consist of the characters . 0 1 2 3 4": not set("".join(rows)) <= set(".01234"),
        f"units must be {number} places in this version": len(units) != number,
        "units must stand on different places": len(set(units)) < len(units),
        "units must stand on cells of height 0 to 3": any(
            not (0 <= x < side and 0 <= y < side and rows[y][x : x + 1] in "0123") for x, y in units
        ),
    }
    for rule, broken in checks.items():
        if broken:
            raise BadRequest(f"{rule}.")
    league = League(question.version)
    heights = {(x, y): int(char) for y, row in enumerate(question.rows) for x, char in enumerate(row) if char != "."}
    units = question.units[: league.units], question.units[league.units :]
    position = Position(len(question.rows), heights, units, question.scores, question.player)
    state = replace(rules.with_legal(batch([position], league)), out=np.array(question.dead, np.bool_)[:, None])
    return _apply(state, question) if isinstance(question, _Apply) else _legal(state, question.player)


def _init(question: _Init) -> JsonObject:
    league = League(question.version)
    kind = question.mapIndex if 0 <= question.mapIndex < len(maps.KINDS) else None
    start = maps.generate(question.seed, league.units, kind, symmetric=question.symmetric)
    state = batch([start.position], league)
    return {**_position(state), "over": False, "init_input": protocol.introduction(state, 0, 0), "mapIndex": start.kind}


def _legal(state: State, player: int) -> JsonObject:
    legal = actions.lines(view.words(state, 0, player))
    return {"legal": legal, "input": protocol.observation(state, 0, player)}


def _apply(state: State, question: _Apply) -> JsonObject:
    match = protocol.DEFEAT.fullmatch(question.action)
    if match:
        return _lost(state, question.player, "selfDestruct", _message(match["message"]))
    match = protocol.ACTION.fullmatch(question.action)
    if match is None or int(match["unit"]) >= state.league.units:
        return _lost(state, question.player, "InvalidInput")
    action = protocol.read(match)
    if action.kind == KINDS[1] != match["kind"]:
        return _lost(state, question.player, Refusal.NO_PUSHING)
    if not view.is_legal(state, 0, question.player, action.number):
        return _lost(state, question.player, refusal(state, 0, question.player, action))
    return _played(state, action, _message(match["message"]))


def _played(state: State, action: Action, message: str | None) -> JsonObject:
    played = rules.step(replace(state, out=np.zeros_like(state.out)), np.array([action.number]))
    after = replace(played, out=state.out)
    won = rules.on_top(after)[:, 0].astype(int).tolist()
    return {
        "ok": True,
        "move_valid": bool((after.units != state.units).any()),
        "place_valid": bool((after.low != state.low).any()),
        "score_point": bool((after.points != state.points).any()),
        "message": message,
        **_position(after),
        "over": _over(after),
        **({"won": won} if state.league.climb else {}),
    }


def _lost(state: State, player: int, code: str, message: str | None = None) -> JsonObject:
    out = state.out.copy()
    out[player] = True
    after = replace(state, out=out)
    return {
        "ok": False,
        "error": "InvalidInputException" if code == "InvalidInput" else "LostException",
        "code": str(code),
        "message": message,
        **_position(after),
        "over": _over(after),
        **({"won": [0, 0]} if state.league.climb else {}),
    }


def _over(state: State) -> bool:
    """Return whether the match would be over if the round ended now."""
    return bool(rules.ended(state, np.array([True]))[0])


def _message(message: str | None) -> str | None:
    """Return a message cut as the contest does; Java counts two for characters beyond 16 bits."""
    text = (message or "").encode("utf-16-le", "replace")
    if len(text) <= 2 * _MESSAGE_MAX:
        return message
    return text[: 2 * _MESSAGE_CUT].decode("utf-16-le", "replace") + "..."


def _position(state: State) -> JsonObject:
    return {
        "rows": view.rows(state, 0),
        "units": [list(place) for seat in view.places(state, 0) for place in seat],
        "scores": state.points[:, 0].tolist(),
        "dead": state.out[:, 0].astype(int).tolist(),
    }
