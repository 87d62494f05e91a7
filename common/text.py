"""Checks of numbers in the text that visitors send."""

from __future__ import annotations

ROW_NUMBER_MAX = 2**53 - 1
"""Highest primary key that is accepted: JavaScript and spreadsheets can hold it exactly."""


def is_row_number(text: str) -> bool:
    """Return whether a text can be a primary key: only digits, and no more of them than a database accepts."""
    return text.isascii() and text.isdecimal() and len(text) < 19
