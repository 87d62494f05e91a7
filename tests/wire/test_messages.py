"""Messages in workers' reports that cannot be stored or said are refused on arrival."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.message import Message, bot, said, stored
from wire.jobs import BuildReport, FaultReport
from wire.messages import ARGS_MAX, DEPTH_MAX, TEXT_CHARS_MAX


def nested(depth: int) -> Message:
    message = said("It ended.")
    for _ in range(depth - 1):
        message = Message("build-fault", {"why": stored(message)})
    return message


GOOD = [
    said("x" * TEXT_CHARS_MAX),
    Message("out"),
    Message("bot-slow", {"used": 1, "limit": 2.5, "what": "turn"}),
    Message("others-out", {"other": bot(3)}),
    nested(DEPTH_MAX),
]
BAD: dict[str, dict[str, Any]] = {
    "no word": {"kind": "<b>", "args": {}},
    "a kind of two lines": {"kind": "a\n", "args": {}},
    "a value with a bad name": {"kind": "a", "args": {"a b": 1}},
    "a long text": stored(said("x" * (TEXT_CHARS_MAX + 1))),
    "NUL": stored(said("a\0b")),
    "many values": {"kind": "a", "args": {f"v{number}": 1 for number in range(ARGS_MAX + 1)}},
    "a huge number": {"kind": "a", "args": {"v": 10**60}},
    "true": {"kind": "a", "args": {"v": True}},
    "nothing": {"kind": "a", "args": {"v": None}},
    "a list": {"kind": "a", "args": {"v": [1]}},
    "an unknown seat": {"kind": "a", "args": {"v": {"seat": 9}}},
    "a seat that is a list": {"kind": "a", "args": {"v": {"seat": [1]}}},
    "another object": {"kind": "a", "args": {"v": {"text": "a"}}},
    "a bad message within": {"kind": "a", "args": {"v": {"kind": "a", "args": 3}}},
    "a kind within that is a list": {"kind": "a", "args": {"v": {"kind": [], "args": {}}}},
    "too deep": stored(nested(DEPTH_MAX + 1)),
}


@pytest.mark.parametrize("message", GOOD, ids=str)
def test_a_message_arrives_as_it_was_sent(message: Message) -> None:
    report = BuildReport(1, "0" * 32, "w", why=message)
    assert msgspec.json.decode(msgspec.json.encode(report), type=BuildReport) == report


@pytest.mark.parametrize("message", BAD.values(), ids=BAD)
def test_a_message_that_cannot_be_stored_or_said_is_refused(message: dict[str, Any]) -> None:
    build = {"version_id": 1, "lease_token": "0" * 32, "worker": "w"}
    for report in ({**build, "why": message}, {**build, "platform_fault": message}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode(report), type=BuildReport)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"verdict": "time", "why": message, "turn": 1}, FaultReport)
