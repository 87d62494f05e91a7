"""Text of bots and users is made safe to show."""

from __future__ import annotations

import pytest

from core.text import ending, printable


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
def test_invisible_characters_are_written_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


TRACE = 'debug\nException in thread "main" java.lang.StackOverflowError\n' + "\tat Main.f(Main.java:3)\n" * 90


@pytest.mark.parametrize("start", [len(TRACE) - 200, len(TRACE) - 205])
def test_an_end_within_a_stack_trace_is_headed_by_its_error(start: int) -> None:
    heading = 'Exception in thread "main" java.lang.StackOverflowError'
    assert ending(TRACE, start) == f"{heading}\n[...]\n{TRACE[start:]}"


@pytest.mark.parametrize("text", ["one\ntwo\nthree\n", "one\n\tat x\nError: y\n", "\tat x\n\tat y\n\tat z\n"])
def test_an_end_that_needs_no_heading_gets_none(text: str) -> None:
    start = text.rindex("\n", 0, -1) + 1
    assert ending(text, start) == text[start:]


def test_a_mark_of_omitted_text_is_no_heading() -> None:
    text = "Error: deep\n\tat x\n[... 99 bytes left out ...]\n\tat y\n\tat z\n"
    assert ending(text, text.index("\tat z")) == "Error: deep\n[...]\n\tat z\n"
