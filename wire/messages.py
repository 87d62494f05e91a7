"""Checks the messages (``core.message``) in workers' reports, which the database stores and everybody reads."""

from __future__ import annotations

import math
import re
from typing import Any

from core.message import Message

TEXT_CHARS_MAX = 1_000
DEPTH_MAX = 8
"""How many messages may be within each other."""
ARGS_MAX = 10
NUMBER_MAX = 2**53
SEATS = range(8)
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,63}")


def message_check(message: Message | None) -> None:
    """Check that a message of a worker can be stored and said; None is no message, and passes.

    The attack: a worker reports what PostgreSQL refuses (NUL, or a number that is infinite), so that its report fails
    each time and is delivered for ever; or texts that fill the database.

    Raises:
        ValueError: the message cannot be stored or said.
    """
    if message is not None:
        _check(message.kind, message.args, DEPTH_MAX)


def _check(kind: Any, args: Any, depth: int) -> None:
    if not depth:
        raise ValueError(f"There are more than {DEPTH_MAX} messages within each other.")
    if not isinstance(kind, str) or not _NAME.fullmatch(kind):
        raise ValueError("A message has a kind that is no word.")
    if not isinstance(args, dict) or len(args) > ARGS_MAX:
        raise ValueError(f"The message {kind} has more than {ARGS_MAX} values.")
    for name, value in args.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"The message {kind} has a value whose name is no word.")
        if isinstance(value, dict) and value.keys() == {"kind", "args"}:
            _check(value["kind"], value["args"], depth - 1)
        elif not _is_plain(value):
            raise ValueError(f"The message {kind} has a value {name} that is no text, number, seat or message.")


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= TEXT_CHARS_MAX and "\0" not in value
    if isinstance(value, int | float):
        return not isinstance(value, bool) and math.isfinite(value) and abs(value) <= NUMBER_MAX
    return isinstance(value, dict) and value.keys() == {"seat"} and value["seat"] in SEATS
