"""What bots were asked, answered and wrote to standard error, turn by turn: a file beside the replay, for owners.

It is stored only where it tells more than the replay: a bot has written to standard error, or was at fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
import zstandard

from core.record import SEATS_MAX
from wire.jobs import Count, Measured, Word

TURNS_KEPT = 200
"""Of each seat, the last ones."""
TEXT_CHARS_MAX = 2_000
"""Of a question and of an answer, the end."""
STDERR_CHARS_MAX = 2_500
"""More than the sandbox leaves of what a bot writes to standard error in a turn."""
INFLATED_BYTES_MAX = 32 << 20
"""More than any file that ``pack`` makes."""


# The attack that the lengths stop: a worker that was taken over stores megabytes as one answer, and whoever opens the
# page of the log keeps the site busy with them.
_Text = Annotated[str, msgspec.Meta(max_length=TEXT_CHARS_MAX)]
_Stderr = Annotated[str, msgspec.Meta(max_length=STDERR_CHARS_MAX)]


class SeatTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One turn of one seat."""

    seat: Count
    turn: Count
    asked: _Text
    answered: _Text
    stderr: _Stderr
    cpu_ms: Measured
    wall_ms: Measured
    waited_ms: Measured = 0.0
    """How long, of the wall time, it was ready to run and other programs had the cores."""
    fault: Word = ""
    """The verdict, in its last turn."""


_Turns = Annotated[list[SeatTurn], msgspec.Meta(max_length=SEATS_MAX * TURNS_KEPT)]


def tells_more(turns: Iterable[SeatTurn]) -> bool:
    """Tell whether the turns hold anything that a replay does not."""
    return any(turn.stderr or turn.fault for turn in turns)


def pack(turns: Iterable[SeatTurn]) -> bytes:
    """Return the turns as the bytes of a file."""
    return zstandard.ZstdCompressor().compress(msgspec.json.encode(list(turns)))


def unpack(data: bytes) -> list[SeatTurn]:
    """Return the turns of a file, which may be hostile.

    Raises:
        ValueError: it is no such file, or too large.
    """
    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as stream:
            text = stream.read(INFLATED_BYTES_MAX + 1)
    except zstandard.ZstdError as error:
        raise ValueError("The log of the turns is damaged.") from error
    if len(text) > INFLATED_BYTES_MAX:
        raise ValueError("The log of the turns is larger than any that workers make.")
    return msgspec.json.decode(text, type=_Turns)
