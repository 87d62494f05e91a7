"""What the commands share: words to the user."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

from core.text import printable


class UserError(Exception):
    """What was asked for cannot be done. Its text is a whole sentence that says why; it is printed as by ``say``."""


def say(text: str) -> None:
    """Print a line; written out is what the terminal cannot show, and what would steer it or rearrange the text.

    The attack: what is told comes from replays of others, from bots, and from arenas.
    """
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(printable(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of text as columns, the first one left, the others right."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(_cells(row, widths)).rstrip() for row in rows)


def _cells(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    gaps = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
    return [row[0] + gaps[0], *[gap + cell for cell, gap in zip(row[1:], gaps[1:], strict=True)]]


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: signs of East Asia take two each."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
