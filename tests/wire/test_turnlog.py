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


EVIL: tuple[dict[str, Any], ...] = (
    *({"answered": "a" * (TEXT_CHARS_MAX + 1)}, {"stderr": "e" * (STDERR_CHARS_MAX + 1)}, {"fault": "\u202etime"}),
    *({"turn": 10**30}, {"cpu_ms": 1e308}),
)
REFUSED = {
    "empty": b"",
    "no frame": b"nonsense",
    "no turns": zstandard.compress(b"[1]"),
    "deep": zstandard.compress(b"[" * 100_000),
    "bomb": zstandard.compress(bytes(INFLATED_BYTES_MAX + 1)),
    "more turns than are kept": pack([TURN] * (SEATS_MAX * TURNS_KEPT + 1)),
    **{str(*evil): zstandard.compress(msgspec.json.encode([msgspec.to_builtins(TURN) | evil])) for evil in EVIL},
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_anything_that_no_worker_of_ours_writes_is_refused(data: bytes) -> None:
    """The attack: megabytes in one answer keep the site busy whenever the log's page is opened."""
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with it
        unpack(data)


def test_the_largest_that_a_worker_makes_is_taken() -> None:
    errors = HeadAndTail(TURN_ERRORS_BYTES)
    errors.add(b"e" * 10**6)
    largest = msgspec.structs.replace(TURN, asked="a" * TEXT_CHARS_MAX, stderr=errors.text(), fault="illegal answer")
    assert unpack(pack([largest] * SEATS_MAX * TURNS_KEPT))


def test_turns_that_the_replay_has_need_no_log() -> None:
    assert not has_more_than_replay([LoggedTurn(0, 1, "asked", "answered", "", 1.5, 2.5)])
    assert has_more_than_replay([TURN])
    assert has_more_than_replay([LoggedTurn(0, 1, "asked", "", "", 0.0, 0.0, fault="time")])
