"""The picture of a board: walls, areas and agents."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import PAPER, SEATS, Rows, Square, pieces, squares, tint


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the squares of the picture of a frame."""
    agents = pieces(frame["agents"])
    return squares(frame["tiles"], lambda tile, x, y: Square(_ground(tile), *agents.get((x, y), ())))


def _ground(tile: str) -> str:
    if tile == ".":
        return PAPER
    colour = SEATS["ABCD".index(tile.upper())]
    return colour if tile.isupper() else tint(colour)
