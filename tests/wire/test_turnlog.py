"""The turn log: a packed one can be unpacked, and a hostile file is refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import zstandard

from sandbox.capture import HeadAndTail
from sandbox.streams import TURN_ERRORS_BYTES
from wire.turnlog import (
    INFLATED_BYTES_MAX,
    SEATS_MAX,
    STDERR_CHARS_MAX,
    TEXT_CHARS_MAX,
    TURNS_KEPT,
    LoggedTurn,
    has_more_than_replay,
    pack,
    unpack,
)

TURN = LoggedTurn(0, 1, "asked", "answered", "stderr \ufffd", 1.5, 2.5)


def test_what_is_packed_comes_out() -> None:
    assert unpack(pack([TURN, TURN])) == [TURN, TURN]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        zstandard.compress(b"[1]"),
        zstandard.compress(b"[" * 100_000),
        zstandard.compress(bytes(INFLATED_BYTES_MAX + 1)),
    ],
    ids=["empty", "no frame", "no turns", "deep", "bomb"],
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with it
        unpack(data)


def test_the_largest_that_a_worker_makes_is_taken() -> None:
    errors = HeadAndTail(TURN_ERRORS_BYTES)
    errors.add(b"e" * 10**6)
    largest = msgspec.structs.replace(TURN, asked="a" * TEXT_CHARS_MAX, stderr=errors.text(), fault="illegal answer")
    assert unpack(pack([largest] * SEATS_MAX * TURNS_KEPT))


@pytest.mark.parametrize(
    "evil",
    [
        {"answered": "a" * (TEXT_CHARS_MAX + 1)},
        {"stderr": "e" * (STDERR_CHARS_MAX + 1)},
        {"fault": "\u202etime"},
        {"turn": 10**30},
        {"cpu_ms": 1e308},
    ],
    ids=lambda evil: next(iter(evil)),
)
def test_a_turn_that_no_worker_of_ours_writes_is_refused(evil: dict[str, Any]) -> None:
    """The attack: megabytes in one answer keep the site busy whenever the log's page is opened."""
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with it
        unpack(zstandard.compress(msgspec.json.encode([msgspec.to_builtins(TURN) | evil])))


def test_more_turns_than_are_kept_are_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        unpack(pack([TURN] * (SEATS_MAX * TURNS_KEPT + 1)))


def test_turns_that_the_replay_has_need_no_log() -> None:
    assert not has_more_than_replay([LoggedTurn(0, 1, "asked", "answered", "", 1.5, 2.5)])
    assert has_more_than_replay([TURN])
    assert has_more_than_replay([LoggedTurn(0, 1, "asked", "", "", 0.0, 0.0, fault="time")])
