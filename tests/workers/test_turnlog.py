"""The file of the turns: what went in comes out, and a hostile one is refused."""

from __future__ import annotations

import pytest
import zstandard

from workers.turnlog import INFLATED_BYTES_MAX, SeatTurn, pack, tells_more, unpack

TURN = SeatTurn(0, 1, "asked", "answered", "stderr \ufffd", 1.5, 2.5)


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


def test_only_what_the_replay_does_not_tell_is_worth_a_file() -> None:
    assert not tells_more([SeatTurn(0, 1, "asked", "answered", "", 1.5, 2.5)])
    assert tells_more([TURN])
    assert tells_more([SeatTurn(0, 1, "asked", "", "", 0.0, 0.0, "time")])
