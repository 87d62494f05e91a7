"""Plays whole matches, in the form of the recorded vectors: one JSON object in, one out.

Asked is ``w h n max starts rounds``: sides, seats, rounds of the match (0: as many as the contest had for n seats), x
and y of each seat, and for each round a line of each seat. The line ``<T>`` is a time-out; those of seats that are out
are not read. Seats may start on the same cell.

Answered is ``{"states": [..]}``: the state after placing and after each round, until the match is over or the rounds
asked for are played. A state is ``players`` (x, y, 1 while its BACK is left, 1 when it is out), ``grid`` (rows),
``scores``, ``completedRounds``, ``realRound`` (rounds played); after the first also ``lost`` (why each seat went out in
this round, or null) and ``over`` (why the match is over, or null).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from core.game import BadRequest, JsonObject, seat_out
from games.back_to_the_code import ROUNDS, ROUNDS_LIMIT, protocol, rules
from games.back_to_the_code.protocol import Refusal
from games.back_to_the_code.state import SEATS_MAX, Ending, State, begin

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
    """Answer a question.

    Raises:
        BadRequest: it is malformed, or describes no match.
    """
    try:
        match = msgspec.convert(request, _Match)
    except msgspec.ValidationError as error:
        raise BadRequest(str(error)) from error
    _check(match)
    state = begin([match.starts], (match.h, match.w), match.max or ROUNDS[match.n])
    states = [_told(state)]
    for lines in match.rounds:
        if state.over[0]:
            break
        state, lost = _played(state, lines)
        states.append(_told(state) | {"lost": lost, "over": _REASONS[Ending(state.ending[0])]})
    return {"states": states}


def _check(match: _Match) -> None:
    checks = {
        "starts must have a cell for each of the n players": len(match.starts) != match.n,
        "starts must lie on the board": any(not (0 <= x < match.w and 0 <= y < match.h) for x, y in match.starts),
        "rounds must have a line for each of the n players": any(len(lines) != match.n for lines in match.rounds),
    }
    for rule, broken in checks.items():
        if broken:
            raise BadRequest(f"{rule}.")


def _played(state: State, lines: list[str]) -> tuple[State, list[str | None]]:
    """Return the state after a round, and why seats went out in it."""
    actions = np.zeros(state.spots.shape, np.int16)
    lost: list[str | None] = [None] * len(lines)
    for seat in np.flatnonzero(~state.out[:, 0]).tolist():
        actions[seat, 0], lost[seat] = _read(state, seat, lines[seat])
        if lost[seat] is not None:
            state = seat_out(state, 0, seat)
    return rules.step(state, actions), lost


def _read(state: State, seat: int, line: str) -> tuple[int, str | None]:
    """Return the action of a line, and why it takes its seat out of the match."""
    if line == _TIMEOUT:
        return 0, "timeout"
    try:
        return int(protocol.parse(state, 0, seat, [line])), None
    except Refusal as refusal:
        return 0, refusal.reason


def _told(state: State) -> JsonObject:
    return {
        "players": protocol.seats(state, 0),
        "grid": protocol.rows(state, 0),
        "scores": state.counts[:, 0].tolist(),
        "completedRounds": int(state.completed[0]),
        "realRound": int(state.played[0]),
    }
