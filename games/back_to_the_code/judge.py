"""Answers questions about the rules by playing whole matches: one JSON object in, one out, as in the recorded vectors.

A question has ``w h n max starts rounds``: width, height, number of seats, rounds of the match (0: the contest's number
for n seats), x and y of each seat, and for each round the line of each seat. The line ``<T>`` is a timeout; lines of
seats that are out are ignored. Seats may start on the same cell.

The answer is ``{"states": [..]}``: the state at the start and after each round, until the match is over or all rounds
of the question are played. A state has ``players`` (x, y, 1 if the BACK is left, 1 if out), ``grid`` (rows),
``scores``, ``completedRounds``, ``realRound`` (rounds played); after the first also ``lost`` (why each seat went out in
this round, or null) and ``over`` (why the match is over, or null).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from core.batch import seat_out
from core.game import BadRequest, JsonObject
from games.back_to_the_code import ROUNDS, ROUNDS_LIMIT, protocol, rules
from games.back_to_the_code.protocol import Refusal
from games.back_to_the_code.state import SEATS_MAX, Ending, State, first_state

_SIDE_LIMIT = 100
_TIMEOUT = "<T>"
_REASONS = {
    Ending.NONE: None,
    Ending.SETTLED: "EndOfGameDetected",
    Ending.IDLE: "inactivityDetected",
    Ending.NOBODY: "noPlayerLeft",
    Ending.ROUNDS: "maxRoundsCountReached",
}

_Side = Annotated[int, msgspec.Meta(ge=1, le=_SIDE_LIMIT)]


class _Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The question."""

    w: _Side
    h: _Side
    n: Annotated[int, msgspec.Meta(ge=2, le=SEATS_MAX)]
    max: Annotated[int, msgspec.Meta(ge=0, le=ROUNDS_LIMIT)]
    starts: list[tuple[int, int]]
    rounds: list[list[str]]


def judge(request: JsonObject) -> JsonObject:
    """Return the answer to a question, both as this module describes them.

    Raises:
        BadRequest: the question is malformed, or its match impossible.
    """
    try:
        match = msgspec.convert(request, _Match)
    except msgspec.ValidationError as error:
        raise BadRequest(str(error)) from error
    checks = {
        "starts must have a cell for each of the n players": len(match.starts) != match.n,
        "starts must lie on the board": any(not (0 <= x < match.w and 0 <= y < match.h) for x, y in match.starts),
        "rounds must have a line for each of the n players": any(len(lines) != match.n for lines in match.rounds),
    }
    for rule, broken in checks.items():
        if broken:
            raise BadRequest(f"{rule}.")
    state = first_state([match.starts], (match.h, match.w), match.max or ROUNDS[match.n])
    states = [_state_json(state)]
    for lines in match.rounds:
        if state.over[0]:
            break
        state, lost = _played(state, lines)
        states.append(_state_json(state) | {"lost": lost, "over": _REASONS[Ending(state.ending[0])]})
    return {"states": states}


def _played(state: State, lines: list[str]) -> tuple[State, list[str | None]]:
    """Return the state after a round, and for each seat why it went out in this round (None: it did not)."""
    actions = np.zeros(state.spots.shape, np.int16)
    lost: list[str | None] = [None] * len(lines)
    for seat in np.flatnonzero(~state.out[:, 0]).tolist():
        actions[seat, 0], lost[seat] = _read(state, seat, lines[seat])
        if lost[seat] is not None:
            state = seat_out(state, 0, seat)
    return rules.step(state, actions), lost


def _read(state: State, seat: int, line: str) -> tuple[int, str | None]:
    """Return the action of a line, and why the line puts its seat out of the match (None: it does not)."""
    if line == _TIMEOUT:
        return 0, "timeout"
    try:
        return int(protocol.parse(state, 0, seat, [line])), None
    except Refusal as refusal:
        return 0, refusal.reason


def _state_json(state: State) -> JsonObject:
    return {
        "players": protocol.seats(state, 0),
        "grid": protocol.rows(state, 0),
        "scores": state.counts[:, 0].tolist(),
        "completedRounds": int(state.completed[0]),
        "realRound": int(state.played[0]),
    }
