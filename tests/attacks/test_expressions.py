"""Every regular expression takes time in proportion to the length of a text, no matter who wrote the text."""

from __future__ import annotations

import re
import time

import pytest

from tests.attacks.expressions import Used, expressions, hostile_texts

SHORT, LONG = 250, 4_000
RATIO_MAX = 4 * LONG / SHORT
"""A quarter of the ratio of an expression whose time is the square of the length."""


def _nanoseconds(used: Used, text: str, times: int) -> int:
    """Return the least CPU time that an expression takes for a text."""
    pattern = used.pattern
    written = text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")
    took = []
    for _ in range(times):
        began = time.thread_time_ns()
        if "match" in used.methods:
            pattern.match(written)
        if "fullmatch" in used.methods:
            pattern.fullmatch(written)
        if used.methods - {"match", "fullmatch"}:
            for _match in pattern.finditer(written):
                pass
        took.append(time.thread_time_ns() - began)
    return min(took)


def _slow_text(used: Used) -> str | None:
    """Return a part that makes a long text of many such parts slow; None if there is none."""
    texts = zip(hostile_texts(used.pattern, SHORT), hostile_texts(used.pattern, LONG), strict=True)
    for (part, short), (_, long) in texts:
        for times in (1, 3, 9):  # what else the machine does makes one measurement slow, not all of them
            ratio = _nanoseconds(used, long, times) / _nanoseconds(used, short, 3 * times)
            if ratio <= RATIO_MAX:
                break
        else:
            return part
    return None


@pytest.mark.quiet
@pytest.mark.parametrize("slow", [r"(?P<text>.+) in \w+ on line", r"\d+(\.\d+)+", r" *\n"])
def test_an_expression_that_is_slow_is_found(slow: str) -> None:
    assert _slow_text(Used(re.compile(slow), frozenset({"search"}))) is not None


@pytest.mark.quiet
def test_no_text_makes_an_expression_slow() -> None:
    found = expressions()
    assert len(found) > 90
    assert {place: part for place, used in found.items() if (part := _slow_text(used)) is not None} == {}
