"""The picture of a board: walls, areas and agents."""

from __future__ import annotations

from core.game import JsonObject
from games.picture import PAPER, SEATS, Rows, Square, tint


def cells(setting: JsonObject, frame: JsonObject) -> Rows:
    """Return the cells of a frame."""
    agents = {
        (x, y): (SEATS[seat], str(number + 1))
        for seat, places in enumerate(frame["agents"])
        for number, (x, y) in enumerate(places)
    }
    return [
        [Square(_ground(tile), *agents.get((x, y), ())) for x, tile in enumerate(row)]
        for y, row in enumerate(frame["tiles"])
    ]


def _ground(tile: str) -> str:
    if tile == ".":
        return PAPER
    colour = SEATS["ABCD".index(tile.upper())]
    return colour if tile.isupper() else tint(colour)
