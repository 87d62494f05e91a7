"""The lines of a replay as types: a header, a line a turn, a footer; and the hash over them.

The same lines make a stored replay and a live match. What they mean is told in ``docs/core.md``.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

import msgspec

from core.game import Event, JsonObject

SEATS_MAX = 8

Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]

canonical = msgspec.json.Encoder(order="sorted").encode
"""Return a value as UTF-8 JSON with sorted keys and no spaces: one text for one value."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all lines and their parts."""


class SeatInfo(Line, frozen=True):
    """Who sits on a seat."""

    name: str
    version: str = ""
    digest: str = ""
    """SHA-256 of the bot's artifact, empty where there is none."""


class SeatFault(Line, frozen=True):
    """Why and when a seat was disqualified."""

    verdict: str
    """``illegal answer``, or the word of the sandbox: crashed, time, memory, output, security."""
    sentence: str
    turn: int


class Header(Line, frozen=True):
    """The first line: all that is needed to set the match up again."""

    format: Literal[1]
    game: str
    rules: str
    """Version of the rules."""
    seed: Seed
    options: JsonObject
    seats: Annotated[list[SeatInfo], msgspec.Meta(min_length=1, max_length=SEATS_MAX)]
    setting: JsonObject
    frame: JsonObject
    """The first frame."""


class SeatTurn(Line, frozen=True):
    """What a seat did in a turn."""

    answer: list[str]
    """Its lines; none of a seat that left the match without fault."""
    cpu_ms: float
    wall_ms: float
    fault: str | None
    limit_ms: int | None = None
    """CPU time that the answer might cost; None in replays of before it was told."""


class TurnLine(Line, frozen=True):
    """One turn: the answers, and what the board looks like after it."""

    turn: int
    seats: list[SeatTurn | None]
    """None: the seat was not asked."""
    frame: JsonObject
    events: list[Event]


class Footer(Line, frozen=True):
    """The last line: how it ended."""

    ranks: list[int]
    scores: list[float]
    faults: list[SeatFault | None]
    turns: int
    hash: str
    """SHA-256 of everything before it but the milliseconds, see ``Digest``."""


def record_of(line: Line) -> JsonObject:
    """Return a line as what JSON has. Frames, settings and events are that already, and are not copied."""
    parts = {name: msgspec.to_builtins(getattr(line, name)) for name in ("seats", "faults") if hasattr(line, name)}
    return msgspec.structs.asdict(line) | parts


class Digest:
    """The hash of a replay, fed line by line.

    SHA-256 over the lines as UTF-8 JSON with sorted keys and no spaces, each ended by a line feed, without ``cpu_ms``
    and ``wall_ms`` (they differ from run to run), ``limit_ms`` (older replays have none) and the footer's ``hash``.
    """

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()

    def add(self, line: Line) -> None:
        """Feed the next line."""
        content = msgspec.structs.asdict(line)
        content.pop("hash", None)
        if isinstance(line, TurnLine):
            content["seats"] = [_untimed(seat) for seat in line.seats]
        self._sha256.update(canonical(content) + b"\n")

    def hexdigest(self) -> str:
        """Return the hash of all lines so far, 64 hexadecimal digits."""
        return self._sha256.hexdigest()


def _untimed(seat: SeatTurn | None) -> dict[str, Any] | None:
    return {"answer": seat.answer, "fault": seat.fault} if seat else None
