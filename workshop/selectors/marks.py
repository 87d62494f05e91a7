"""Finds the lines of source files that compilers and interpreters complain about.

The forms of the messages are those that the site's languages print: gcc and clang (``main.cpp:3:5: error: text``), Java
(``Main.java:3: error: text``), Go (``./main.go:3:5: text``), Kotlin (``main.kt:3:5: error: text``), C# and TypeScript
(``main.cs(3,5): error CS1002: text``), Rust (a line ``error: text``, then ``--> src/main.rs:3:5``), Python (``File
"main.py", line 3`` and the error's name below), PHP (``text in main.php on line 3``), Ruby and JavaScript
(``main.rb:3: text``, ``main.js:3``).
"""

from __future__ import annotations

import re
from typing import Any

from core.languages import SOURCE_SUFFIXES

MARKS_MAX = 50
_LINES_MAX = 2_000
_TEXT_MAX = 300
_ENDINGS = "|".join(re.escape(suffix) for suffix in (*SOURCE_SUFFIXES, ".h", ".hpp"))
_PATH = rf"(?P<path>(?:\.?/)?(?:[\w.@+-]+/)*[\w.@+-]+(?:{_ENDINGS}))"
_FORMS = (
    re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+)'),
    re.compile(rf"-->\s+{_PATH}:(?P<line>\d+):(?P<column>\d+)"),
    re.compile(rf"(?:^|[\s(]){_PATH}\((?P<line>\d+),(?P<column>\d+)\): (?P<text>.+)"),
    re.compile(rf"(?:^|[\s(]){_PATH}:(?P<line>\d+):(?P<column>\d+)(?::|\))?\s*(?P<text>.*)"),
    re.compile(rf"(?:^|[\s(]){_PATH}:(?P<line>\d+)(?::|\)|$)\s*(?P<text>.*)"),
    re.compile(rf" in {_PATH} on line (?P<line>\d+)"),
)
"""The attack: a program prints a text for which an expression takes time in the square of its length. So none of these
begins with a repetition: a message in front of its place is what stands before the match."""
_HEAD = re.compile(r"^(?:error|warning)(?:\[\w+\])?: .+")
"""A message of Rust, whose place stands in the next line."""
_RAISED = re.compile(r"^(?P<text>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b.*)")
"""The last line of a Python traceback."""
_WARNING = re.compile(r"\bwarning\b", re.IGNORECASE)


def marks_of(*, log: str) -> list[dict[str, Any]]:
    """Return the places that a log names, at most ``MARKS_MAX`` (no query).

    Args:
        log: what a compiler or an interpreter has printed.

    Returns:
        For each place ``path`` (which may begin with folders that are not the author's, as ``/bot/main.py``), ``line``
        and ``column`` (from 1; column 0: not known), ``text``, and ``is_error``.
    """
    marks: dict[tuple[str, int], dict[str, Any]] = {}
    head = ""
    for line in log.splitlines()[:_LINES_MAX]:
        line = line[:1_000]
        if raised := _RAISED.match(line):
            # The newest call stands last in a traceback, and is what the author looks for first.
            calls = {place: marks.pop(place) for place in list(marks)[::-1] if not marks[place]["text"]}
            for mark in calls.values():
                mark["text"] = raised["text"][:_TEXT_MAX]
            marks |= calls
            continue
        if _HEAD.match(line):
            head = line
        found = next(filter(None, (form.search(line) for form in _FORMS)), None)
        if found is None or len(marks) >= MARKS_MAX:
            continue
        parts = found.groupdict()
        text = (parts.get("text") or head or (line[: found.start()] if found.re is _FORMS[-1] else "")).strip(" :")
        place = parts["path"], int(parts["line"][:9])
        marks.setdefault(
            place,
            {
                "path": place[0],
                "line": place[1],
                "column": int((parts.get("column") or "0")[:9]),
                "text": text[:_TEXT_MAX],
                "is_error": not _WARNING.search(text[:40]),
            },
        )
        head = ""
    return list(marks.values())
