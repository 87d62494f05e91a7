"""Text that bots or users wrote, made safe and short enough to show."""

from __future__ import annotations

import unicodedata

_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Unicode categories of control characters and others that cannot be seen; spaces are not among them."""
HEADING_CHARS_MAX = 500
_OMISSION = "[..."
"""Beginning of a line that stands for omitted text."""


def printable(text: str) -> str:
    r"""Return text with invisible characters written as escapes such as ``\x1b``; line feeds and tabs stay.

    The attack: a bot prints terminal escapes, or characters that reverse the direction of text, to hide or rearrange
    the rest of a log on a page or in a terminal. HTML is not escaped here: templates do that.
    """
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in _INVISIBLE
        else character.encode("unicode_escape").decode()
        for character in text
    )


def ending(text: str, start: int) -> str:
    """Return a text from an index on; if that is in the middle of a stack trace, the line that heads the trace first.

    A stack trace of Java names the error in its first line, before up to 1,024 indented lines.

    Args:
        text: what a bot has written to standard error.
        start: index of the first character to return.
    """
    end = text[start:]
    whole = end if text[:start].endswith("\n") else end.partition("\n")[2]
    if whole.startswith((" ", "\t")):
        for line in reversed(text[:start].splitlines()):
            if line and not line.startswith((" ", "\t", _OMISSION)):
                return f"{line[:HEADING_CHARS_MAX]}\n{_OMISSION}]\n{end}"
    return end
