"""Text that strangers wrote."""

from __future__ import annotations

import unicodedata

_STEERING = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Categories of signs that are not seen, or that no terminal and no page can show. Spaces of any kind can be."""


def printable(text: str) -> str:
    r"""Return text with its invisible signs written out, as ``\x1b``; line feeds and tabs stay.

    What a bot prints may hold terminal escapes and marks that reverse the text around them: shown as they are they
    could hide or rearrange the rest of a log, on the page or in the terminal. Markup is not its business: templates
    escape it.
    """
    return "".join(sign if _is_harmless(sign) else sign.encode("unicode_escape").decode() for sign in text)


def _is_harmless(sign: str) -> bool:
    return sign in "\n\t" or unicodedata.category(sign) not in _STEERING
