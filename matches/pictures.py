"""The picture of a match for previews of links to it: its last board, its bots and their scores, as PNG."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from typing import Any

import structlog
from django.core.cache import caches
from django.template.defaultfilters import floatformat
from PIL import Image, ImageDraw, ImageFont

from games.picture import PAPER, SEATS, Rows, Square
from games.registry import game_keys, game_named, game_names, game_part
from matches.models import Match
from matches.selectors.matches import place_names, places, replay_records

WIDTH, HEIGHT = 1200, 630
"""Size in pixels that previews show without cutting."""
CACHED_SECONDS = 3600
_SCALE = 2
"""The picture is drawn this many times as large and then made smaller, so that discs have smooth edges."""
_EDGE, _BOARD = 40, (660, 550)
_SIDE_MAX = 60
_BACKGROUND, _INK, _SOFT, _LINE, _SEAL = "#f7f2e7", "#1e1a15", "#5d5548", "#dcd2bd", "#a8231b"
_LIGHT = 150
"""Brightness, up to 255, above which a colour wants dark text."""
_COLOURS = 128
"""Colours of the PNG's palette; without one it has three times as many bytes."""

log = structlog.get_logger()


def match_picture(*, match: Match) -> bytes:
    """Return the picture of a match that has a replay, as PNG, painted once and then cached.

    The match comes with its result and seats, see ``match_page``. Raises ReplayUnreadable and StoreAway as
    ``replay_records``.
    """
    names = place_names(match=match)
    key = hashlib.sha256(repr((match.pk, match.result.replay_digest, names)).encode()).hexdigest()
    picture: bytes | None = caches["pages"].get(key)
    if picture is None:
        picture = _painted(match, names, replay_records(digest=match.result.replay_digest))
        caches["pages"].set(key, picture, CACHED_SECONDS)
    return picture


def _painted(match: Match, names: Sequence[str], records: list[dict[str, Any]]) -> bytes:
    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _BACKGROUND)
    pen = _Pen(image)
    rows, colours = _board(match, records)
    left = pen.board(rows) + _EDGE if rows else _EDGE
    pen.rectangle((left, _EDGE, left + 34, _EDGE + 34), _SEAL)
    pen.text((left + 48, _EDGE + 17), "Banzuke", 30, _INK)
    game = game_named(match.game) if match.game in game_names() else None
    pen.text((left, 118), game.title if game else match.game, 46, _INK, width=WIDTH - _EDGE - left)
    letters = game.seat_letters if game else "ABCDEFGH"
    seats = sorted(zip(places(match=match), names, strict=True), key=lambda pair: (pair[0].rank or 0, pair[0].index))
    for row, (seat, name) in enumerate(seats):
        top = 190 + 92 * row
        pen.rectangle((left, top, left + 60, top + 60), colours[seat.index], outline=_SOFT)
        letter = letters[seat.index]
        pen.text((left + 30, top + 30), letter, 34, _readable_on(colours[seat.index]), anchor="mm")
        score = floatformat(seat.score)
        room = pen.text((WIDTH - _EDGE, top + 30), score, 40, _INK, anchor="rm")
        # The font has the characters of ASCII alone; other names stand in the title beside the picture.
        known = name if name.isascii() else letter
        pen.text((left + 78, top + 30), known, 36, _INK if seat.rank == 1 else _SOFT, width=room - left - 98)
    pen.text((left, HEIGHT - _EDGE), f"Match {match.pk}", 24, _SOFT, anchor="ls")
    small = image.reduce(_SCALE).quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    data = BytesIO()
    small.save(data, "PNG")
    return data.getvalue()


def _board(match: Match, records: list[dict[str, Any]]) -> tuple[Rows, Sequence[str]]:
    """Return the cells of the last frame, and the colours of the seats; no cells if the game cannot show them."""
    part = _part(match)
    frames = [record["frame"] for record in records if "frame" in record]
    try:
        rows = part.cells(records[0]["setting"], frames[-1]) if part else _characters(frames[-1])
        rows = rows if _is_drawable(rows) else []
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        # The attack: a host reports a replay whose frames are not those of its game.
        log.warning("picture_failed", match=match.pk, exc_info=True)
        rows = []
    return rows, getattr(part, "SEATS", SEATS)


def _part(match: Match) -> Any:
    """Return the module ``picture`` of a match's rules, else that of its game, or None."""
    for key in (f"{match.game}.{match.rules_version}", match.game):
        if key in game_keys():
            with suppress(ModuleNotFoundError):
                return game_part(key, "picture")
    return None


def _characters(frame: dict[str, Any]) -> Rows:
    """Return the first list of texts of a frame as cells: what is shown of games without a viewer."""
    texts: list[str] = next((rows for rows in frame.values() if _is_text(rows)), [])
    width = max(map(len, texts), default=0)
    return [[Square(text="" if letter in " ." else letter) for letter in row.ljust(width)] for row in texts]


def _is_text(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, str) and len(row) > 1 for row in value)


def _is_drawable(rows: Rows) -> bool:
    """Return whether a board has cells, not too many, and rows of one length."""
    widths = {len(row) for row in rows}
    return len(widths) == 1 and 0 < max(widths) <= _SIDE_MAX and len(rows) <= _SIDE_MAX


def _readable_on(colour: str) -> str:
    light = sum(int(colour[at : at + 2], 16) * weight for at, weight in ((1, 0.3), (3, 0.59), (5, 0.11)))
    return _INK if light > _LIGHT else PAPER


@lru_cache(64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class _Pen:
    """Draws in the pixels of the finished picture."""

    def __init__(self, image: Image.Image) -> None:
        self._draw = ImageDraw.Draw(image)

    def rectangle(self, box: Sequence[float], fill: str, outline: str | None = None) -> None:
        self._draw.rectangle([side * _SCALE for side in box], fill, outline, width=_SCALE)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        box = [side * _SCALE for side in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse(box, fill, PAPER, width=round(radius * _SCALE / 6))

    def text(
        self, at: tuple[float, float], text: str, size: float, fill: str, *, anchor: str = "lm", width: float = 0
    ) -> float:
        """Write a line of text, cut to ``width`` unless that is 0; return the x of its left end (or middle)."""
        font = _font(size * _SCALE)
        shown = text
        while width and font.getlength(shown) > width * _SCALE and shown:
            text = text[:-1]
            shown = f"{text}..."
        place = (at[0] * _SCALE, at[1] * _SCALE)
        self._draw.text(place, shown, fill, font, anchor=anchor)
        return at[0] - font.getlength(shown) / _SCALE if anchor[0] == "r" else at[0]

    def board(self, rows: Rows) -> float:
        """Draw a board, centred in the height of the picture; return the x of its right edge."""
        across, down = len(rows[0]), len(rows)
        side = min(_BOARD[0] / across, _BOARD[1] / down)
        top = (HEIGHT - side * down) / 2
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                if cell:
                    self._cell(cell, _EDGE + x * side, top + y * side, side)
        return _EDGE + across * side

    def _cell(self, cell: Square, left: float, top: float, side: float) -> None:
        self.rectangle((left, top, left + side, top + side), cell.ground, _LINE)
        x, y = left + side / 2, top + side / 2
        if cell.piece:
            self.disc(x, y, side * 0.4, cell.piece)
        if cell.text.isascii():
            self.text((x, y), cell.text[:2], side * 0.45, _readable_on(cell.piece or cell.ground), anchor="mm")
