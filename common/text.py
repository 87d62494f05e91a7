"""Text that visitors send."""

from __future__ import annotations

ROW_NUMBER_MAX = 2**53 - 1
"""No row has a higher number: JavaScript and spreadsheets hold it."""


def is_row_number(text: str) -> bool:
    """Tell whether text can be the number of a row: digits, and not more than a database takes."""
    return text.isascii() and text.isdecimal() and len(text) < 19
