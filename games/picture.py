"""The picture of a board in coloured squares and discs, as a game describes it for links to its matches.

A game brings it by the module ``picture.py`` with ``cells(setting, frame) -> rows of cells``, and with ``SEATS`` of its
own if its seats have other colours. The site paints it; here is no I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SEATS = ("#1a6aa6", "#b8480f", "#3a9a63", "#4a1f3f")
"""The colours of the seats, as in the light theme of the viewer."""
PAPER = "#fffdf7"
SUNK = "#efe8d8"


@dataclass(frozen=True, slots=True)
class Square:
    """A cell of the board."""

    ground: str = PAPER
    """Colour of the square, as ``#rrggbb``."""
    piece: str = ""
    """Colour of a disc on it; empty: none."""
    text: str = ""
    """At most two ASCII characters shown on the square."""


Rows = Sequence[Sequence[Square | None]]
"""The cells of a board from top to bottom; None where it has none. All rows are equally long."""


def squares(tiles: Sequence[str], square: Callable[[str, int, int], Square | None]) -> Rows:
    """Return the squares of a board that is given as rows of tiles.

    ``square`` returns the square of a tile, given the tile, its x and its y; None: the board has no cell there.
    """
    return [[square(tile, x, y) for x, tile in enumerate(row)] for y, row in enumerate(tiles)]


def pieces(places: Sequence[Sequence[tuple[int, int]]]) -> dict[tuple[int, int], tuple[str, str]]:
    """Return, by cell, the colour of a piece's seat and the piece's number, counted from 1 within the seat.

    ``places`` has the cells of each seat's pieces, as x and y.
    """
    return {(x, y): (SEATS[s], f"{n}") for s, seat in enumerate(places) for n, (x, y) in enumerate(seat, 1)}


def tint(colour: str, amount: float = 0.4, paper: str = PAPER) -> str:
    """Return a colour mixed with the colour of the paper: an amount of 1 gives the colour alone, 0 the paper's."""
    mixed = [
        round(int(paper[at : at + 2], 16) * (1 - amount) + int(colour[at : at + 2], 16) * amount) for at in (1, 3, 5)
    ]
    return "#{:02x}{:02x}{:02x}".format(*mixed)
