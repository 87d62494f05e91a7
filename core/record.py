"""The types of a replay's lines (a header, one line for each turn, a footer) and the hash over them.

Stored replays and live matches consist of the same lines. ``docs/understand/replays.md`` describes their fields.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

import msgspec

from core.game import Event, JsonObject
from core.message import Message

SEATS_MAX = 8

Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]

canonical = msgspec.json.Encoder(order="sorted").encode
"""Return a value as UTF-8 JSON with sorted keys and no spaces: equal values give equal bytes."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of all lines and their parts."""


class SeatInfo(Line, frozen=True):
    """The bot that plays a seat."""

    name: str
    version: str = ""
    digest: str = ""
    """SHA-256 of the bot's artifact; empty if the bot has none."""


class SeatFault(Line, frozen=True):
    """Why and when a seat was disqualified."""

    verdict: str
    """``illegal answer``, or a verdict of the sandbox: crashed, time, memory, output, security."""
    why: Message
    """What the bot did wrong."""
    turn: int


class Header(Line, frozen=True):
    """The first line: everything that is needed to set the match up again."""

    format: Literal[2]
    game: str
    rules: str
    """Version of the game's rules."""
    seed: Seed
    options: JsonObject
    seats: Annotated[list[SeatInfo], msgspec.Meta(min_length=1, max_length=SEATS_MAX)]
    setting: JsonObject
    frame: JsonObject
    """The first frame."""
    time_percent: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | msgspec.UnsetType = msgspec.UNSET
    """CPU time of each answer, in percent of what the rules allow. It is left out if it is 100, so that replays from
    before it could differ keep their hashes."""


class RecordedAnswer(Line, frozen=True):
    """The answer of a seat in a turn."""

    answer: list[str]
    """Lines of the answer; empty if the seat left the match without fault."""
    cpu_ms: float
    wall_ms: float
    fault: str | None
    """The verdict, if the seat was disqualified with this answer."""
    limit_ms: int
    """CPU time allowed for the answer."""


class TurnLine(Line, frozen=True):
    """One turn: the answers, and the frame after it."""

    turn: int
    seats: list[RecordedAnswer | None]
    """One entry a seat; None: the seat was not asked."""
    frame: JsonObject
    events: list[Event]


class Footer(Line, frozen=True):
    """The last line: how the match ended."""

    ranks: list[int]
    scores: list[float]
    faults: list[SeatFault | None]
    turns: int
    hash: str
    """SHA-256 over everything before this field except measured times, see ``Digest``."""


def record_of(line: Line) -> JsonObject:
    """Return a line as a JSON object. Frames, settings and events are JSON values already and are not copied."""
    parts = {name: msgspec.to_builtins(getattr(line, name)) for name in ("seats", "faults") if hasattr(line, name)}
    return _content(line) | parts


def _content(line: Line) -> JsonObject:
    return {name: value for name, value in msgspec.structs.asdict(line).items() if value is not msgspec.UNSET}


class Digest:
    """Computes the hash of a replay line by line.

    It is the SHA-256 over the lines as UTF-8 JSON with sorted keys and no spaces, each ended by a line feed, without
    ``cpu_ms`` and ``wall_ms`` (which differ from run to run) and the footer's ``hash``. Words of sentences are in none
    of them.
    """

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()

    def add(self, line: Line) -> None:
        """Add the next line to the hash."""
        content = _content(line)
        content.pop("hash", None)
        if isinstance(line, TurnLine):
            content["seats"] = [
                seat and {"answer": seat.answer, "fault": seat.fault, "limit_ms": seat.limit_ms} for seat in line.seats
            ]
        self._sha256.update(canonical(content) + b"\n")

    def hexdigest(self) -> str:
        """Return the hash of all lines added so far as 64 hexadecimal digits."""
        return self._sha256.hexdigest()
