"""Answers questions about the rules: one JSON object in, one out, as in the recorded vectors.

A cell is [type, player]: type 0 for area or 1 for wall, player -1 for nobody; a field is a list of cells, row by row.
An order is [agent, kind, x, y] with the numbers of ``Kind``. Points are [wall, area] of each seat.

``"op": "fill"``: w h nplayer points field -> field points.
``"op": "turn"``: the same and nagent totalTurn turn agents actions -> field agents res points turn status more.
With ``"fill": "2020"``, areas are enclosed by the rules of the article, and the answer to ``fill`` has no points.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from core.game import BadOptions, BadRequest, JsonObject
from games.kakomimasu import protocol, rules
from games.kakomimasu.boards import AGENTS_LIMIT, TURNS_LIMIT, BoardFile
from games.kakomimasu.state import SEATS_MAX, Kind, Result, State, area_bit, first_state, spots, tally, wall_bit

Order = tuple[int, int, int, int]
"""Agent, kind, x, y."""


class _Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op"):
    """The fields that both questions have."""

    w: int
    h: int
    nplayer: Annotated[int, msgspec.Meta(ge=1, le=SEATS_MAX)]
    points: list[int]
    field: list[tuple[Literal[0, 1], Annotated[int, msgspec.Meta(ge=-1)]]]
    fill: Literal["2020"] | None = None


class _Fill(_Position, frozen=True, kw_only=True, tag="fill"):
    """A question about enclosure alone."""


class _Turn(_Position, frozen=True, kw_only=True, tag="turn"):
    """A question about a whole turn."""

    nagent: Annotated[int, msgspec.Meta(ge=1, le=AGENTS_LIMIT)]
    totalTurn: Annotated[int, msgspec.Meta(ge=1, le=TURNS_LIMIT)]  # noqa: N815 - the vectors' name
    turn: Annotated[int, msgspec.Meta(ge=1)]
    agents: list[list[tuple[int, int]]]
    actions: list[list[Order]]


def judge(request: JsonObject) -> JsonObject:
    """Return the answer to a question, both as this module describes them.

    Raises:
        BadRequest: the question is malformed, or its position impossible.
    """
    try:
        question = msgspec.convert(request, _Fill | _Turn)
        return _turn(question) if isinstance(question, _Turn) else _fill(question)
    except (msgspec.ValidationError, BadOptions) as error:
        raise BadRequest(str(error)) from error


def _fill(question: _Fill) -> JsonObject:
    state = _state(question, agents=1, turns=1)
    cells, scores = state.cells.copy(), state.scores.copy()
    rules.enclose(state, cells, scores)
    after = replace(state, cells=cells, scores=scores)
    return {"field": field(after)} if state.article else {"field": field(after), "points": _points(after)}


def _turn(question: _Turn) -> JsonObject:
    on_board = [place for seat in question.agents for place in seat if place != (-1, -1)]
    checks = {
        "turn must not be greater than totalTurn": question.turn > question.totalTurn,
        "actions must have a list for each player": len(question.actions) != question.nplayer,
        "agents must have a list for each player": len(question.agents) != question.nplayer,
        "agents must have nagent places for each player": any(len(seat) != question.nagent for seat in question.agents),
        "agents must stand on the board, or be at [-1, -1]": any(
            not (0 <= x < question.w and 0 <= y < question.h) for x, y in on_board
        ),
        "agents must stand on different cells": len(set(on_board)) < len(on_board),
    }
    for rule, broken in checks.items():
        if broken:
            raise BadRequest(f"{rule}.")
    before = _state(question, question.nagent, question.totalTurn)
    places = np.array(question.agents, np.int32).transpose(2, 0, 1)[..., None]
    before = replace(before, agents=spots(before, *places), played=np.array([question.turn - 1], np.int16))
    orders = np.zeros((3, question.nplayer, question.nagent, 1), np.int16)
    refused = [_assign(sent, orders[:, seat, :, 0], before) for seat, sent in enumerate(question.actions)]
    after = rules.step(before, orders)
    results = protocol.results(after, 0)
    return {
        "field": field(after),
        "agents": protocol.agents(after, 0),
        "res": [
            [refusals[agent] if agent in refusals else results[seat][agent] for agent, *_ in question.actions[seat]]
            for seat, refusals in enumerate(refused)
        ],
        "points": _points(after),
        "turn": int(after.turn[0]),
        "status": "ended" if after.over[0] else "gaming",
        "more": not after.over[0],
    }


def _assign(sent: list[Order], orders: NDArray[np.int16], state: State) -> dict[int, Result]:
    """Write the orders of a seat into ``orders`` (3, A); return the results of orders that are refused, by agent.

    Two orders for the same agent are refused, and so is an order for an agent that does not exist.
    """
    agents = orders.shape[1]
    refused = {}
    for agent, count in Counter(order[0] for order in sent).items():
        if not 0 <= agent < agents:
            refused[agent] = Result.ILLEGAL_AGENT
        elif count > 1:
            refused[agent] = Result.ONLY_ONE_TURN
    for agent, kind, x, y in sent:
        if agent not in refused:
            on_board = 0 <= x < state.width[0] and 0 <= y < state.height[0]
            known = kind if kind in (Kind.PUT, Kind.MOVE, Kind.REMOVE) else Kind.NONE
            orders[:, agent] = known, *((x, y) if on_board else (-1, -1))
    return refused


def _state(position: _Position, agents: int, turns: int) -> State:
    board = BoardFile(position.w, position.h, position.points, agents, turns).board()
    state = first_state([board], position.nplayer, article=position.fill is not None)
    grid = np.zeros((position.h + 2, position.w + 2), np.uint8)
    grid[1:-1, 1:-1] = np.array(_codes(position), np.uint8).reshape(position.h, position.w)
    cells = grid.reshape(-1, 1)
    return replace(state, cells=cells, settled=False, scores=tally(state.points, cells, position.nplayer))


def _codes(position: _Position) -> list[int]:
    if len(position.field) != position.w * position.h:
        raise BadRequest(f"field must have {position.w} x {position.h} cells.")
    if any(player >= position.nplayer for _, player in position.field):
        raise BadRequest(f"field names a player beyond nplayer = {position.nplayer}.")
    if (1, -1) in position.field:
        raise BadRequest("field has a wall of nobody: a cell [1, -1].")
    return [0 if player < 0 else (wall_bit if kind else area_bit)(player) for kind, player in position.field]


def field(state: State) -> list[list[int]]:
    """Return the cells of a single board as questions and answers have them."""
    meaning = {wall_bit(seat): [1, seat] for seat in range(SEATS_MAX)}
    meaning |= {area_bit(seat): [0, seat] for seat in range(SEATS_MAX)}
    grid = state.cells.reshape(state.grid[0] + 2, -1)[1:-1, 1:-1]
    return [meaning.get(code, [0, -1]) for code in grid.reshape(-1).tolist()]


def _points(state: State) -> list[list[int]]:
    points: list[list[int]] = state.scores[..., 0].tolist()
    return points
