"""Text that strangers wrote."""

from __future__ import annotations

import pytest

from core.text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext 番付", "plain\n\ttext 番付"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\u202eb\u200b", r"a\u202eb\u200b"),
        ("a\r\nb", "a\\r\nb"),
        ("\x00", r"\x00"),
        ("a\x1b[2J\rb\n", "a\\x1b[2J\\rb\n"),
        ("1\u00a0minute\u3000\u2028", "1\u00a0minute\u3000\\u2028"),
        ("half a pair: \ud800", r"half a pair: \ud800"),
    ],
)
def test_invisible_signs_are_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown
