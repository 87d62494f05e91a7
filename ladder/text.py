"""Text that visitors send."""

from __future__ import annotations


def is_row_number(text: str) -> bool:
    """Tell whether text can be the number of a row: digits, and not more than a database takes."""
    return text.isascii() and text.isdecimal() and len(text) < 19
