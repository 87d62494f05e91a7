"""Renders the drawings of the guides (boards of a game) as SVG.

``guide.css`` gives colours to the classes of grounds and pieces. A drawing can be read without colours: walls, areas
and pieces carry letters or numbers, and each seat has its own shape and pattern.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.guide.drawing import BoardDrawing, Cell, Figure

CELL = 30
"""Side of a cell in units of the SVG; one unit is a CSS pixel unless the page is too narrow."""
RULER = 16
"""Width of the edge that shows the numbers of columns and rows, in units of the SVG."""
_PATTERNS = ("M0 15L15 0M15 30L30 15M0 30L30 0", "M0 15L15 30M15 0L30 15M0 0L30 30")
"""Line patterns of areas, by seat: rising and falling, as in the viewer of replays."""
_ARROW = SafeString('<span class="boards-arrow">→</span>')
_SQUARE = SafeString('<rect class="piece piece-seat-1" x="6" y="6" width="18" height="18" rx="4"/>')


def figure_html(figure: Figure, alt: str) -> SafeString:
    """Return a figure as HTML with the role of an image; screen readers read its alternative text."""
    between = _ARROW if figure.steps else ""
    boards = format_html_join(between, "{}", ((_board(board),) for board in figure.boards))
    return format_html('<div class="boards" role="img" aria-label="{}">{}</div>', alt, boards)


def _board(board: BoardDrawing) -> SafeString:
    edge = RULER if board.rulers else 0
    width, height = edge + CELL * len(board.rows[0]) + 2, edge + CELL * len(board.rows) + 2
    label = format_html('<span class="boards-label">{}</span>', board.label) if board.label else ""
    return format_html(
        '<span class="board"><svg viewBox="-1 -1 {w} {h}" width="{w}" height="{h}">{rulers}{cells}</svg>{l}</span>',
        w=width,
        h=height,
        rulers=_rulers(board) if board.rulers else "",
        cells=format_html_join("", "{}", ((cell,) for cell in _cells(board, edge))),
        l=label,
    )


def _rulers(board: BoardDrawing) -> SafeString:
    columns, rows = range(len(board.rows[0])), range(len(board.rows))
    middle = CELL // 2 + RULER
    places = [(middle + CELL * x, RULER // 2, x) for x in columns]
    places += [(RULER // 2, middle + CELL * y, y + board.top_row) for y in rows]
    return format_html_join("", '<text class="ruler" x="{}" y="{}">{}</text>', places)


def _cells(board: BoardDrawing, edge: int) -> Iterator[SafeString]:
    # Marked cells come last, so that their frames lie above neighbouring cells.
    placed = [
        (cell, edge + CELL * x, edge + CELL * y) for y, row in enumerate(board.rows) for x, cell in enumerate(row)
    ]
    for cell, x, y in sorted(placed, key=lambda each: each[0].marked):
        yield format_html('<g transform="translate({} {})">{}</g>', x, y, _cell(cell))


def _cell(cell: Cell) -> SafeString:
    kind, _, seat = cell.ground.partition("-")
    parts = [format_html('<rect class="ground {}" width="{}" height="{}"/>', f"ground-{cell.ground}", CELL, CELL)]
    if kind == "area":
        parts.append(format_html('<path class="pattern pattern-{}" d="{}"/>', seat, _PATTERNS[int(seat)]))
    if cell.marked:
        parts.append(format_html('<rect class="mark" x="1.5" y="1.5" width="{0}" height="{0}"/>', CELL - 3))
    if cell.piece:
        parts.append(_piece(cell.piece))
    if cell.text:
        name = "on-piece" if cell.piece else f"on-{cell.ground}"
        parts.append(format_html('<text class="{}" x="{}" y="{}">{}</text>', name, CELL // 2, CELL / 2 + 1, cell.text))
    if cell.corner:
        parts.append(format_html('<text class="corner on-{}" x="2" y="6">{}</text>', cell.ground, cell.corner))
    return format_html_join("", "{}", ((part,) for part in parts))


def _piece(name: str) -> SafeString:
    if name == "seat-1":
        return _SQUARE
    radius = 9.5 if name == "seat-0" else 12
    return format_html('<circle class="piece piece-{}" cx="15" cy="15" r="{}"/>', name, radius)
