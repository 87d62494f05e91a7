"""Drawings of small boards for the guide page of a game, as data.

A game's guide makes the cells from positions that the rules have computed, so that a drawing shows what the rules
really do. The site turns the drawings into SVG (``ladder/guides/svg.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Place = tuple[int, int]
"""x and y of a cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The drawing of a cell."""

    ground: str = ""
    """The kind of the cell, a style-sheet class such as ``wall-0`` (of seat 0) or ``height-2``."""
    text: str = ""
    """Text in the middle of the cell, or on its piece."""
    corner: str = ""
    """Text in the upper left corner."""
    piece: str = ""
    """The piece on the cell, a class of the style sheet such as ``seat-0`` or ``puyo-3``; empty: none."""
    marked: bool = False
    """Whether the cell has a frame, because the text of the page is about it."""


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """The drawing of a board: its cells, row by row."""

    rows: tuple[tuple[Cell, ...], ...]
    label: str = ""
    """Text below the board, without words of any language: pages in all languages show it."""
    rulers: bool = True
    """Whether columns and rows have numbers, from 0."""
    top_row: int = 0
    """Number of the first row shown."""


def board_of(
    rows: Sequence[str], cell: Callable[[str, Place], Cell], label: str = "", *, top_row: int = 0
) -> BoardDrawing:
    """Return the drawing of a board that is given as rows of characters, as in the protocol of a game.

    ``cell`` returns the drawing of a cell, given its character and place; ``label`` is the text below the board,
    ``top_row`` the number of the first row.
    """
    numbered = enumerate(rows, top_row)
    cells = tuple(tuple(cell(tile, (x, y)) for x, tile in enumerate(row)) for y, row in numbered)
    return BoardDrawing(cells, label, top_row=top_row)


@dataclass(frozen=True, slots=True)
class Figure:
    """Boards drawn beside each other."""

    boards: tuple[BoardDrawing, ...]
    steps: bool = True
    """Whether each board becomes the next one, which arrows show."""
