"""Prints texts and tables for the user, and the error that commands raise."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

from core.text import printable


class UserError(Exception):
    """A command cannot do what the user asked for. Its text is a whole sentence that says why, and is printed."""


def say(text: str) -> None:
    """Print a line; characters that the terminal cannot show, or that control it, are printed as escape sequences.

    The attack: control characters in other people's replays, in output of bots, or in answers of arenas.
    """
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(printable(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a text of columns, the first column aligned to the left and the others to the right."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(_cells(row, widths)).rstrip() for row in rows)


def _cells(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    gaps = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
    return [row[0] + gaps[0], *[gap + cell for cell, gap in zip(row[1:], gaps[1:], strict=True)]]


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide East Asian characters take two."""
    return len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)
