"""Answers questions about the rules: one JSON object in, one out, as in the recorded vectors.

Fields of Tsu are 13 rows, the hidden one first, with ``.`` for empty cells, ``R Y G B`` for colours and ``#`` for
garbage; columns are counted from 1.

``"op": "chain"``: field -> chains score after, steps: each n cp cb gb score field.
``"op": "placements"``: heights -> legal: [[column, turn], ..], sorted.
``"op": "play"``: pairs permutations moves (for each tick a placement or null of each seat) -> ticks (the state after
each) and result (the winning seat, "draw", or null while the match goes on). A seat loses if its placement is not
allowed, or null although it is asked.

Smash the Code, with the characters and numbers of its protocol:

``"op": "smash"``: grid a b x rot skulls (lines that fall before the pair) -> alive score after.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from core.batch import seat_out
from core.game import BadRequest, IllegalAnswer, JsonObject
from games.puyo import protocol, rules
from games.puyo.chain import points, pop, popping
from games.puyo.field import COLUMNS, SMASH, TEXT, TSU, Field, Ruleset, read
from games.puyo.field import rows as picture
from games.puyo.placements import PLACEMENTS, reachable
from games.puyo.state import SEATS, TICKS, State, Supply, first_state

_LETTERS = ".#RYGB"
_COLOURS = "RYGB"
_PAIRS_MAX = _PERMUTATIONS_MAX = 1_000
_NUMBERS = {each: each for each in ("score", "pending", "fixed", "carry")}
_NUMBERS |= {"ac": "all_clear", "chainstep": "chain", "dead": "dead"}
"""The numbers of a tick, by the names of the vectors, with those of ``State``."""

Colour = Literal["R", "Y", "G", "B"]
Row = Annotated[str, msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
Height = Annotated[int, msgspec.Meta(ge=0, le=TSU.rows)]
Place = Annotated[int, msgspec.Meta(ge=0, lt=COLUMNS)]
Block = Annotated[int, msgspec.Meta(ge=1, le=SMASH.colours)]
Move = tuple[int, int] | None


class _Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """Base class of all questions."""


class _Chain(_Question, frozen=True, tag="chain"):
    field: Annotated[list[Row], msgspec.Meta(min_length=TSU.rows, max_length=TSU.rows)]


class _Placements(_Question, frozen=True, tag="placements"):
    heights: Annotated[list[Height], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]


class _Smash(_Question, frozen=True, tag="smash"):
    grid: Annotated[list[Row], msgspec.Meta(min_length=SMASH.rows, max_length=SMASH.rows)]
    a: Block
    b: Block
    x: Place
    rot: Annotated[int, msgspec.Meta(ge=0, le=3)]
    skulls: Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class _Play(_Question, frozen=True, tag="play"):
    pairs: Annotated[list[tuple[Colour, Colour]], msgspec.Meta(min_length=1, max_length=_PAIRS_MAX)]
    permutations: Annotated[
        list[tuple[Place, Place, Place, Place, Place, Place]],
        msgspec.Meta(min_length=1, max_length=_PERMUTATIONS_MAX),
    ]
    moves: Annotated[list[tuple[Move, Move]], msgspec.Meta(max_length=TICKS[TSU])]


def judge(request: JsonObject) -> JsonObject:
    """Return the answer to a question, both as this module describes them.

    Raises:
        BadRequest: the question is malformed, or its position impossible.
    """
    try:
        question = msgspec.convert(request, _Chain | _Placements | _Smash | _Play)
    except msgspec.ValidationError as error:
        raise BadRequest(str(error)) from error
    match question:
        case _Chain():
            fields = _field(TSU, question.field, _LETTERS, "field")
            steps: list[JsonObject] = []
            while (popped := popping(TSU, fields)).any():
                worth = points(TSU, popped, len(steps) + 1)
                fields = pop(TSU, fields, popped)
                steps.append(
                    {
                        "n": int(worth.popped[0]),
                        "cp": int(worth.chain_power),
                        "cb": int(worth.colour_bonus[0]),
                        "gb": int(worth.group_bonus[0]),
                        "score": int(worth.score[0]),
                        "field": _picture(fields),
                    }
                )
            score = sum(step["score"] for step in steps)
            return {"chains": len(steps), "score": score, "after": _picture(fields), "steps": steps}
        case _Placements():
            legal = reachable(np.array(question.heights)[:, None])[:, 0]
            return {"legal": [[x + 1, r] for (x, r), allowed in zip(PLACEMENTS, legal, strict=True) if allowed]}
        case _Smash():
            return _smash(question)
    return _play(question)


def _smash(question: _Smash) -> JsonObject:
    field = _field(SMASH, question.grid, TEXT, "grid")
    pairs = np.array([question.a, question.b], np.uint8).reshape(1, 2, 1)
    state = first_state(Supply(pairs, np.zeros((1, COLUMNS, 1), np.uint8)), smash=True)
    state.fields[:, 0] = field
    state.pending[0] = question.skulls
    actions = np.full((2, SEATS, 1), -1)
    try:
        actions[:, 0, 0] = protocol.parse(state, 0, 0, [f"{question.x} {question.rot}"])
        alive = True
    except IllegalAnswer:
        alive = False
    after = rules.step(state, actions)
    return {
        "alive": alive and not after.dead[0, 0],
        "score": int(after.score[0, 0]),
        "after": picture(SMASH, after.fields[:, 0]),
    }


def _play(question: _Play) -> JsonObject:
    pairs = [[_COLOURS.index(colour) + 1 for colour in pair] for pair in question.pairs]
    if any(len(set(order)) < COLUMNS for order in question.permutations):
        raise BadRequest("permutations must name each column from 0 to 5 once.")
    turns = np.argsort(question.permutations, axis=1)
    state = first_state(Supply(np.array(pairs, np.uint8)[..., None], turns.astype(np.uint8)[..., None]), smash=False)
    ticks = []
    for moves in question.moves:
        if state.over[0]:
            break
        actions = np.full((2, SEATS, 1), -1)
        for seat in np.flatnonzero(state.asked[:, 0]).tolist():
            column, turn = moves[seat] or (0, 0)
            try:
                actions[:, seat, 0] = protocol.parse(state, 0, seat, [f"{column - 1} {turn}"])
            except IllegalAnswer:
                state = seat_out(state, 0, seat)
        state = rules.step(state, actions)
        numbers = {name: getattr(state, own)[:, 0].astype(int).tolist() for name, own in _NUMBERS.items()}
        ticks.append({"fields": [_picture(state.fields[:, seat]) for seat in range(SEATS)], **numbers})
    return {"ticks": ticks, "result": _result(state)}


def _result(state: State) -> Any:
    """Return the seat that has won, "draw", or None while the match goes on."""
    if not state.over[0]:
        return None
    first, second = rules.ranks(state)[0].tolist()
    return "draw" if first == second else int(second < first)


def _field(rules: Ruleset, lines: list[str], letters: str, name: str) -> Field:
    """Return the field (6, 1) with these rows; ``letters`` stand for empty cells, garbage, and the colours in order.

    Errors call the field ``name``.

    Raises:
        BadRequest: the rows have an unknown character, or a puyo lies above an empty cell.
    """
    known = letters[: 2 + rules.colours]
    if strange := set("".join(lines)) - set(known):
        raise BadRequest(f"{name} has {min(strange)!r}, but its cells are {' '.join(known)}.")
    if any("." in "".join(column).lstrip(".") for column in zip(*lines, strict=True)):
        raise BadRequest(f"{name} must have nothing that hangs in the air.")
    return read(rules, lines, letters)[:, None]


def _picture(fields: Field) -> list[str]:
    return picture(TSU, fields, _LETTERS.encode())
