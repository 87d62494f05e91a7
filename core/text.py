"""Text that strangers wrote."""

from __future__ import annotations

import unicodedata

_STEERING = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Categories of signs that are not seen, or that no terminal and no page can show. Spaces of any kind can be."""


HEADING_CHARS_MAX = 500
_LEFT_OUT = "[..."
"""How lines begin that tell what was left out before them."""


def printable(text: str) -> str:
    r"""Return text with its invisible signs written out, as ``\x1b``; line feeds and tabs stay.

    What a bot prints may hold terminal escapes and marks that reverse the text around them: shown as they are they
    could hide or rearrange the rest of a log, on the page or in the terminal. Markup is not its business: templates
    escape it.
    """
    return "".join(sign if _is_harmless(sign) else sign.encode("unicode_escape").decode() for sign in text)


def ending(text: str, start: int) -> str:
    """Return a text from a place on, behind the line that heads what it begins in the middle of.

    A stack trace of Java names the error in its first line, before up to 1,024 that are indented.

    Args:
        text: what a bot has written to standard error.
        start: index of the first sign that is to be returned.
    """
    end = text[start:]
    whole = end if text[:start].endswith("\n") else end.partition("\n")[2]
    if whole.startswith((" ", "\t")):
        for line in reversed(text[:start].splitlines()):
            if line and not line.startswith((" ", "\t", _LEFT_OUT)):
                return f"{line[:HEADING_CHARS_MAX]}\n{_LEFT_OUT}]\n{end}"
    return end


def _is_harmless(sign: str) -> bool:
    return sign in "\n\t" or unicodedata.category(sign) not in _STEERING
