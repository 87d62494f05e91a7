"""What the commands read of the API's answers; the API's reference page says what each field means.

``python -m tests.banzuke.api_types`` makes this file; do not edit it.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Account(msgspec.Struct, frozen=True):
    username: str
    bots: list[Bot]


class Board(msgspec.Struct, frozen=True):
    rows: list[BoardRow]


class BoardRow(msgspec.Struct, frozen=True):
    rank: int | None
    bot: int
    name: str
    owner: str
    language: str
    rating: float
    interval: float
    games: int


class Bot(msgspec.Struct, frozen=True):
    id: int
    name: str
    game: str
    contest: str
    versions: list[Version]


class Contest(msgspec.Struct, frozen=True):
    slug: str
    title: str
    game: str
    state: str
    entries_until: str | None


class Fault(msgspec.Struct, frozen=True):
    match: int
    verdict: str


class FieldError(msgspec.Struct, frozen=True):
    field: str
    detail: str


class FirstGames(msgspec.Struct, frozen=True):
    played: int
    goal: int
    problem: str = ""


class Guide(msgspec.Struct, frozen=True):
    text: str


class Mark(msgspec.Struct, frozen=True):
    path: str
    line: int
    text: str


class NewToken(msgspec.Struct, frozen=True):
    token: str


class News(msgspec.Struct, frozen=True):
    events: list[NewsEvent]
    after: str


class NewsEvent(msgspec.Struct, frozen=True):
    event: str
    data: Any


class OwnVersion(msgspec.Struct, frozen=True):
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
    type: str = ""
    title: str = ""
    detail: str = ""
    errors: list[FieldError] = []


class RemoteSeat(msgspec.Struct, frozen=True):
    name: str
    rank: int | None
    score: float | None
    verdict: str


class Step(msgspec.Struct, frozen=True):
    title: str
    state: str


class TableOpened(msgspec.Struct, frozen=True):
    id: int
    url: str
    seat: int
    secret: str


class Try(msgspec.Struct, frozen=True):
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
    id: int
    number: int
    state: str


class WholeMatch(msgspec.Struct, frozen=True):
    id: int
    state: str
    seats: list[WholeSeat]
    void_reason: str = ""
    players: list[RemoteSeat] = []


class WholeSeat(msgspec.Struct, frozen=True):
    name: str
    rank: int | None
    score: float | None
    verdict: str
