"""What the commands read of the API's answers; the API's reference page says what each field means.

``python -m tests.banzuke.api_types`` makes this file; do not edit it.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Account(msgspec.Struct, frozen=True):
    """The caller's account."""

    username: str
    bots: list[Bot]


class Board(msgspec.Struct, frozen=True):
    """A page of a board."""

    rows: list[BoardRow]


class BoardRow(msgspec.Struct, frozen=True):
    """One version's row on a board."""

    rank: int | None
    bot: int
    name: str
    owner: str
    language: str
    rating: float
    interval: float
    games: int


class Bot(msgspec.Struct, frozen=True):
    """A bot with its newest versions."""

    id: int
    name: str
    game: str
    contest: str
    versions: list[Version]


class Contest(msgspec.Struct, frozen=True):
    """A contest, as lists show it."""

    slug: str
    title: str
    game: str
    state: str
    entries_until: str | None


class Fault(msgspec.Struct, frozen=True):
    """A fault that put a version on probation; the match has its evidence."""

    match: int
    verdict: str


class FieldError(msgspec.Struct, frozen=True):
    """An error in one field of what was sent."""

    field: str
    detail: str


class FirstGames(msgspec.Struct, frozen=True):
    """Progress of a new version's first matches."""

    played: int
    goal: int
    problem: str = ""


class Guide(msgspec.Struct, frozen=True):
    """The guide to a contest."""

    text: str


class Mark(msgspec.Struct, frozen=True):
    """A place in the program that a compiler or an interpreter complains about."""

    path: str
    line: int
    text: str


class NewToken(msgspec.Struct, frozen=True):
    """A new token, with its secret."""

    token: str


class News(msgspec.Struct, frozen=True):
    """What a seat has been told since its player asked last."""

    events: list[NewsEvent]
    after: str


class NewsEvent(msgspec.Struct, frozen=True):
    """Something that a seat is told."""

    event: str
    data: Any


class OwnVersion(msgspec.Struct, frozen=True):
    """A version, with the fields that only its owner may see."""

    id: int
    bot: int
    name: str
    number: int
    state: str
    steps: list[Step]
    is_final: bool
    sentence: str
    advice: str
    faults: list[Fault]
    log: str
    rating: float | None
    interval: float | None
    games: int | None
    rank: int | None
    place: int | None
    provisional: bool = False
    rank_wait: str = ""
    match_pace: str = ""


class Problem(msgspec.Struct, frozen=True):
    """Problem details (RFC 9457)."""

    type: str = ""
    title: str = ""
    detail: str = ""
    errors: list[FieldError] = []


class RemoteSeat(msgspec.Struct, frozen=True):
    """A seat of a table that no bot of this arena plays, and how its player ended there."""

    name: str
    rank: int | None
    score: float | None
    verdict: str


class Step(msgspec.Struct, frozen=True):
    """One step from upload to board, and how far a version is with it."""

    title: str
    state: str


class TableOpened(msgspec.Struct, frozen=True):
    """A new table with the secret of its remote seat."""

    id: int
    url: str
    seat: int
    secret: str


class Try(msgspec.Struct, frozen=True):
    """A try as its author sees it."""

    id: int
    state: str
    place: int | None
    step: str
    verdict: str
    why: str
    log: str
    marks: list[Mark]
    turn: int | None
    turns: int
    seat: int
    seats: list[str]
    ranks: list[int]
    scores: list[float]
    cpu_ms_total: list[float]


class Version(msgspec.Struct, frozen=True):
    """A version of a bot, with the fields that everybody may see."""

    id: int
    number: int
    state: str


class WholeMatch(msgspec.Struct, frozen=True):
    """A match with all fields that its page shows."""

    id: int
    state: str
    seats: list[WholeSeat]
    void_reason: str = ""
    players: list[RemoteSeat] = []


class WholeSeat(msgspec.Struct, frozen=True):
    """A seat with all fields that a match's page shows."""

    name: str
    rank: int | None
    score: float | None
    verdict: str
