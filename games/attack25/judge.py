"""Answers questions about the rules: as JSON objects, and as text in the form of the CodeIQ problem.

``"op": "legal"``: ``board`` (the panels of each colour) -> ``legal`` and ``class``: the panels that each of R, G, W and
B may take, and their ``Class``; [] and null on a full board.

``"op": "game"``: ``takes``, a list of ``[colour, panel]`` and in the Attack Chance ``[colour, panel, emptied]`` ->
``boards`` (25 characters after each take) and ``counts`` at the end, or ``error`` and ``at``, the index of the first
take that is not allowed.

Text (``judge --text``): a line ``X`` or ``X,n,n,..`` with the panels of each colour; blank lines are ignored -> a line
``X,n,n,..`` for each colour, in the same order, with the panels that it may take; ``X`` on a full board. If a colour
without panels is written ``X,``, as by the program of the article on the problem, so is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from core.game import BadRequest, JsonObject
from games.attack25.panels import PANELS, Plane, board, pack, single, takes
from games.attack25.protocol import drawn
from games.attack25.rules import sides, take_panels
from games.attack25.state import CHANCE, COLOURS, TAKES

_NUMBER = re.compile(r"[0-9]{1,2}")
_SHOWN = 20
"""Characters of a wrong word that are shown."""

Colour = Literal["R", "G", "W", "B"]
Panel = Annotated[int, msgspec.Meta(ge=1, le=PANELS)]


class _Legal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op", tag="legal"):
    board: Mapping[Colour, Sequence[Panel]]


class _Take(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    colour: Colour
    panel: Panel
    emptied: Panel | None = None


class _Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op", tag="game"):
    takes: list[_Take]


class _IllegalTake(Exception):  # noqa: N818 - what it is
    """The rules do not allow a take. The text is a whole sentence."""


def judge(request: JsonObject) -> JsonObject:
    """Return the answer to a question, both as this module describes them.

    Raises:
        BadRequest: the question is malformed, or its position impossible.
    """
    try:
        question = msgspec.convert(request, _Legal | _Game)
    except msgspec.ValidationError as error:
        raise BadRequest(str(error)) from error
    return _game(question) if isinstance(question, _Game) else _legal(question)


def judge_text(text: str) -> str:
    """Return the answer to a question of the CodeIQ problem, both as text.

    Raises:
        BadRequest: the text does not describe a position.
    """
    position: dict[str, list[int]] = {}
    none = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            colour, *panels = (word.strip() for word in line.split(","))
            if colour not in tuple(COLOURS) or colour in position:
                raise BadRequest(f"Line {number}: {colour[:_SHOWN]!a} is none of R, G, W and B, or has a line already.")
            position[colour] = [_panel(word, number) for word in panels] if panels != [""] else []
            none = "," if panels == [""] else none
    legal = {colour: panels for colour, (_, panels) in _takes(position).items()}
    return "".join(
        ",".join(map(str, [colour, *legal[colour]])) + none * (not legal[colour]) + "\n" for colour in position
    )


def _panel(word: str, line: int) -> int:
    if not _NUMBER.fullmatch(word) or not 1 <= int(word) <= PANELS:
        raise BadRequest(f"Line {line}: {word[:_SHOWN]!a} is no panel from 1 to {PANELS}.")
    return int(word)


def _legal(question: _Legal) -> JsonObject:
    found = _takes(question.board)
    return {
        "legal": {colour: panels for colour, (_, panels) in found.items()},
        "class": {colour: class_ for colour, (class_, _) in found.items()},
    }


def _takes(position: Mapping[Any, Sequence[int]]) -> dict[str, tuple[int | None, list[int]]]:
    """Return for each colour the class of the panels that it may take (None: the board is full), and these panels."""
    # A batch of four equal boards, with another colour to move on each.
    legal, classes = takes(*sides(_owned(position, len(COLOURS)), pack(np.eye(len(COLOURS), dtype=np.bool_))))
    found: dict[str, tuple[int | None, list[int]]] = {}
    for b, colour in enumerate(COLOURS):
        panels = np.flatnonzero(board(legal, b)).tolist()
        found[colour] = int(board(classes, b).argmax()) if panels else None, panels
    return found


def _owned(position: Mapping[Any, Sequence[int]], boards: int) -> Plane:
    """Return (4, 26, K): the planes of a position (the panels of each colour), the same on each of so many boards.

    Raises:
        BadRequest: two colours own the same panel.
    """
    owners: dict[int, str] = {}
    flags = np.zeros((len(COLOURS), PANELS + 1, boards), np.bool_)
    for colour, panels in position.items():
        for panel in panels:
            if owners.setdefault(panel, colour) != colour:
                raise BadRequest(f"Panel {panel} is claimed by {owners[panel]} and {colour}.")
            flags[COLOURS.index(colour), panel] = True
    return pack(flags)


def _game(question: _Game) -> JsonObject:
    owned = _owned({}, 1)
    boards: list[str] = []
    for number, each in enumerate(question.takes):
        try:
            owned = _played(owned, number, each)
        except _IllegalTake as error:
            return {"error": str(error), "at": number}
        boards.append(drawn(owned, 0))
    return {"boards": boards, "counts": {colour: drawn(owned, 0).count(colour) for colour in COLOURS}}


def _played(owned: Plane, number: int, take: _Take) -> Plane:
    """Return the board after the take of this number, from 0; raise _IllegalTake if the rules do not allow it."""
    movers = pack(np.array([[colour == take.colour] for colour in COLOURS]))
    legal = np.flatnonzero(board(takes(*sides(owned, movers))[0], 0)).tolist()
    if number >= TAKES:
        raise _IllegalTake(f"A match has {TAKES} takes.")
    if take.panel not in legal:
        raise _IllegalTake(f"{take.colour} may not take {take.panel}, only one of {', '.join(map(str, legal))}.")
    owned = take_panels(owned, movers, single(np.array([take.panel])))
    if (number == CHANCE) != (take.emptied is not None):
        raise _IllegalTake(f"A panel is emptied with the take number {CHANCE}, counted from 0, and with no other.")
    if take.emptied is None:
        return owned
    if not board(owned, 0)[:, take.emptied].any():
        raise _IllegalTake(f"Panel {take.emptied} cannot be emptied, as nobody owns it.")
    return owned & ~single(np.array([take.emptied]))
