"""Text that strangers wrote."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""Return text with its invisible signs written out, as ``\x1b``.

    What a bot prints may hold terminal escapes and marks that reverse the text around them: shown as they are they
    could hide or rearrange the rest of a log, on the page or in the terminal it is copied to. Markup is not its
    business: templates escape it.
    """
    return "".join(sign if _is_harmless(sign) else sign.encode("unicode_escape").decode() for sign in text)


def is_row_number(text: str) -> bool:
    """Tell whether text can be the number of a row: digits, and not more than a database takes."""
    return text.isascii() and text.isdecimal() and len(text) < 19


def _is_harmless(sign: str) -> bool:
    return sign in "\n\t" or unicodedata.category(sign) not in {"Cc", "Cf", "Co", "Zl", "Zp"}
