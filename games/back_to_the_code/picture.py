"""The picture of a board: the land of the seats, and where they stand."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import PAPER, SEATS, Rows, Square, tint


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the cells of a frame."""
    stands = {(x, y): SEATS[seat] for seat, (x, y, _, out) in enumerate(frame["seats"]) if not out}
    return [
        [
            Square(PAPER if tile == "." else tint(SEATS[int(tile)], 0.6), stands.get((x, y), ""))
            for x, tile in enumerate(row)
        ]
        for y, row in enumerate(frame["tiles"])
    ]
