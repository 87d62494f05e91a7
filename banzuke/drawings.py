"""Reads the values that a bot measures by lines ``@value NAME NUMBER`` on standard error.

``docs/play/drawings.md`` describes these lines. The viewer's ``drawings.js`` reads them, too, and those that draw.
"""

from __future__ import annotations

import re

_VALUE = re.compile(
    r"@value[ \t]+([^ \t]+)[ \t]+([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?)[ \t]*(?:\r|\\r)?"
)
VALUE_MAX, VALUE_MIN = 1e12, 1e-9
"""The largest value, and the least one that is not taken for 0, as in the viewer."""
VALUES_MAX = 6
"""Most values of a turn that are shown, the first ones."""
NAME_CHARS_MAX = 20


def values_of(stderr: str) -> dict[str, float]:
    """Return the values in a bot's standard error of one turn, by name; of two with one name the last.

    Names after the first ``VALUES_MAX``, and values larger than ``VALUE_MAX``, are left out.
    """
    found: dict[str, float] = {}
    for match in filter(None, map(_VALUE.fullmatch, stderr.split("\n"))):
        name, value = match[1], float(match[2])
        if len(name) > NAME_CHARS_MAX:
            name = f"{name[: NAME_CHARS_MAX - 1]}…"
        if abs(value) <= VALUE_MAX and (name in found or len(found) < VALUES_MAX):
            found[name] = value if abs(value) >= VALUE_MIN else 0.0
    return found
