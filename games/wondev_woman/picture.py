"""The picture of a board: towers, the higher the darker, and units."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import SEATS, Rows, Square, tint

STONE = "#5d5548"


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the cells of a frame."""
    units = {
        (x, y): (SEATS[seat], str(number + 1))
        for seat, places in enumerate(frame["units"])
        for number, (x, y) in enumerate(places)
    }
    return [
        [
            None if tile == "." else Square(tint(STONE, int(tile) / 4), *units.get((x, y), ("", tile)))
            for x, tile in enumerate(row)
        ]
        for y, row in enumerate(frame["rows"])
    ]
