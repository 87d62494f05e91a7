"""The lines of a file of results, which docs/play/downloads.md describes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import msgspec

from matches.models import Match, Seat

FORMAT = "Banzuke results 1"


class DayLine(msgspec.Struct, frozen=True):
    """The first line of the file: the contest and the day whose matches follow."""

    format: str
    arena: str
    contest: str
    title: str
    game: str
    day: date
    matches: int


class SeatLine(msgspec.Struct, frozen=True):
    """A seat of a match.

    It names no owner: people may change their user names and close their accounts, and the file never changes.
    """

    bot: int
    name: str
    version: int
    number: int
    language: str
    rank: int | None
    score: float | None
    verdict: str
    cpu_ms_total: float | None
    cpu_ms_worst: float | None


class MatchLine(msgspec.Struct, frozen=True):
    """The line of a rated match."""

    match: int
    started_at: datetime | None
    finished_at: datetime | None
    rules_version: str
    options: dict[str, Any]
    seed: int
    encounter: str
    turns: int
    replay: str | None
    seats: list[SeatLine]


def match_line(match: Match) -> MatchLine:
    """Return the line of a match, whose result, seats, versions and bots are fetched already."""
    return MatchLine(
        match=match.pk,
        started_at=match.started_at,
        finished_at=match.finished_at,
        rules_version=match.rules_version,
        options=match.options,
        seed=match.seed,
        encounter=match.encounter,
        turns=match.result.turns,
        replay=match.result.replay_digest or None,
        seats=[_seat_line(seat) for seat in match.seats.all()],
    )


def _seat_line(seat: Seat) -> SeatLine:
    version = seat.version
    return SeatLine(
        bot=version.bot_id,
        name=version.bot.name,
        version=version.pk,
        number=version.number,
        language=version.language,
        rank=seat.rank,
        score=seat.score,
        verdict=seat.verdict,
        cpu_ms_total=seat.cpu_ms_total,
        cpu_ms_worst=seat.cpu_ms_worst,
    )
