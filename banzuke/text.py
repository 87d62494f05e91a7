"""Prints texts and tables for the user; the error that commands raise; and how they write files."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path

from core.text import printable


class UserError(Exception):
    """A command cannot do what the user asked for. Its text is a whole sentence that says why, and is printed."""


@contextmanager
def os_errors_told(what: str, remedy: str = "") -> Iterator[None]:
    """Raise a ``UserError`` instead of an OSError of the block.

    Its text is ``what``, the beginning of a sentence that says what failed; the system's reason; and ``remedy``, a
    sentence that says what to do.
    """
    try:
        yield
    except OSError as error:
        raise UserError(f"{what}: {error.strerror}. {remedy}".rstrip()) from error


def write_whole(path: Path, content: bytes, what: str = "") -> None:
    """Write a file, which is there whole or not at all.

    Raises:
        UserError: the file cannot be written. Its text names the path, with ``what``, such as ``The replay``, before.
    """
    fresh = path.with_name(f"{path.name}.new")
    with os_errors_told(f"{what}{path} cannot be written"):
        fresh.write_bytes(content)
        fresh.replace(path)


def say(text: str) -> None:
    """Print a line; characters that the terminal cannot show, or that control it, are printed as escape sequences.

    The attack: control characters in other people's replays, in output of bots, or in answers of arenas.
    """
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(printable(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()


def table(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Return rows of any lengths as columns: the first ``left`` are aligned to the left, the others to the right."""
    aligned = []
    for place, cells in enumerate(zip_longest(*rows, fillvalue="")):
        width = max(map(columns, cells))
        gaps = [" " * (width - columns(cell)) for cell in cells]
        aligned.append([cell + gap if place < left else gap + cell for cell, gap in zip(cells, gaps, strict=True)])
    return "\n".join("  ".join(row).rstrip() for row in zip(*aligned, strict=True))


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide East Asian characters take two."""
    return len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)
