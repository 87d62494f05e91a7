"""Small boards to be drawn on the page of a game.

A game's guide makes the cells out of positions of the core, so that a drawing shows what the rules really do. The site
makes SVG of them (``ladder/guides/svg.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Place = tuple[int, int]
"""x and y."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is painted in a cell."""

    ground: str = ""
    """What the cell is, a word of the style sheet such as ``wall-0`` or ``height-2``; a number at its end is a seat."""
    text: str = ""
    """In the middle; on the piece, if there is one."""
    corner: str = ""
    """In the upper left corner."""
    piece: str = ""
    """What stands there: ``seat-0`` or ``puyo-3``, say."""
    marked: bool = False
    """Framed: the text speaks of this cell."""


@dataclass(frozen=True, slots=True)
class Board:
    """Rows of cells."""

    rows: tuple[tuple[Cell, ...], ...]
    label: str = ""
    """Below the board; in no language, since all pages show it."""
    rulers: bool = True
    """Whether columns and rows have numbers, from 0."""
    top_row: int = 0
    """Number of the first row shown."""


def board_of(rows: Sequence[str], cell: Callable[[str, Place], Cell], label: str = "", *, top_row: int = 0) -> Board:
    """Return the board of rows of characters.

    Args:
        rows: as protocols have them.
        cell: makes a cell of a character and its place.
        label: of the board.
        top_row: number of the first of these rows.
    """
    numbered = enumerate(rows, top_row)
    cells = tuple(tuple(cell(tile, (x, y)) for x, tile in enumerate(row)) for y, row in numbered)
    return Board(cells, label, top_row=top_row)


@dataclass(frozen=True, slots=True)
class Figure:
    """Boards beside each other."""

    boards: tuple[Board, ...]
    steps: bool = True
    """Whether each becomes the next one, and arrows say so."""
