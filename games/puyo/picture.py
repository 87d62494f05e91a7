"""The picture of a board: both fields side by side, without the hidden row."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import SUNK, Rows, Square

COLOURS = ("#8d8780", "#d9534f", "#e2b23c", "#4fa864", "#5b8fd9", "#a578c9")
"""The colours of garbage and puyos, as in the viewer."""


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the squares of the picture of a frame."""
    fields = [field[setting["hidden"] :] for field in frame["fields"]]
    return [[*map(_cell, left), None, None, *map(_cell, right)] for left, right in zip(*fields, strict=True)]


def _cell(tile: str) -> Square:
    return Square(SUNK) if tile == "." else Square(SUNK, COLOURS[int(tile)])
