"""The picture of a board: the land of the seats, and where they stand."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import PAPER, SEATS, Rows, Square, squares, tint


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the squares of the picture of a frame."""
    stands = {(x, y): SEATS[seat] for seat, (x, y, _, out) in enumerate(frame["seats"]) if not out}
    grounds = {".": PAPER, **{str(seat): tint(colour, 0.6) for seat, colour in enumerate(SEATS)}}
    return squares(frame["tiles"], lambda tile, x, y: Square(grounds[tile], stands.get((x, y), "")))
