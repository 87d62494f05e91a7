"""The picture of a board: towers, the higher the darker, and units."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import Rows, Square, pieces, squares, tint

STONE = "#5d5548"


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the squares of the picture of a frame."""
    units = pieces(frame["units"])

    def square(tile: str, x: int, y: int) -> Square | None:
        return None if tile == "." else Square(tint(STONE, int(tile) / 4), *units.get((x, y), ("", tile)))

    return squares(frame["rows"], square)
