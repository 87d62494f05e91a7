"""The picture of a board: its panels."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import SUNK, Rows, Square, squares

SEATS = ("#b3261e", "#2c7a43", "#fffdf7", "#1a5fa6")
"""The colours of the seats are those of their panels."""


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the squares of the picture of a frame."""
    grounds = dict(zip(".RGWB", (SUNK, *SEATS), strict=True))
    return squares(frame["tiles"], lambda tile, x, y: Square(grounds[tile], text=str(5 * y + x + 1)))
