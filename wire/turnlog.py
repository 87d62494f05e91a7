"""The turn log of a match, a file for the bots' owners: each bot's input, answer and standard error in each turn.

It is stored only if it has more than the replay: when a bot has written to standard error, or was at fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
import zstandard

from core.record import SEATS_MAX
from wire.jobs import Count, Measured, Word

TURNS_KEPT = 200
"""How many turns of each seat are stored, the last ones."""
TEXT_CHARS_MAX = 2_000
"""How many characters of an input and of an answer are stored, the last ones."""
STDERR_CHARS_MAX = 2_500
"""Bound of the standard error of a turn; the sandbox keeps less."""
INFLATED_BYTES_MAX = 32 << 20
"""Bound of a decompressed file, larger than any that ``pack`` makes."""


# The attack: a worker that was taken over stores megabytes as one answer, and each reader of the log's page keeps the
# site busy with it.
_Text = Annotated[str, msgspec.Meta(max_length=TEXT_CHARS_MAX)]
_Stderr = Annotated[str, msgspec.Meta(max_length=STDERR_CHARS_MAX)]


class LoggedTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One turn of one seat in a turn log."""

    seat: Count
    turn: Count
    asked: _Text
    answered: _Text
    stderr: _Stderr
    cpu_ms: Measured
    wall_ms: Measured
    waited_ms: Measured = 0.0
    """The part of the wall time in which the bot was ready to run, but other programs used the cores."""
    fault: Word = ""
    """The verdict in the turn in which the bot was at fault, its last; otherwise empty."""


_Turns = Annotated[list[LoggedTurn], msgspec.Meta(max_length=SEATS_MAX * TURNS_KEPT)]


def has_more_than_replay(turns: Iterable[LoggedTurn]) -> bool:
    """Return True if the turns have anything that a replay has not: standard error, or a fault."""
    return any(turn.stderr or turn.fault for turn in turns)


def pack(turns: Iterable[LoggedTurn]) -> bytes:
    """Return the turns as JSON, compressed by zstd."""
    return zstandard.ZstdCompressor().compress(msgspec.json.encode(list(turns)))


def unpack(data: bytes) -> list[LoggedTurn]:
    """Return the turns in a file made by ``pack``; safe for files of hostile workers.

    Raises:
        ValueError: the file is damaged or too large, or its content is no turn log.
    """
    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as stream:
            text = stream.read(INFLATED_BYTES_MAX + 1)
    except zstandard.ZstdError as error:
        raise ValueError("The log of the turns is damaged.") from error
    if len(text) > INFLATED_BYTES_MAX:
        raise ValueError("The log of the turns is larger than any that workers make.")
    return msgspec.json.decode(text, type=_Turns)
