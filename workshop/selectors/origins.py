"""Reads the matches from which a try goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from contests.models import Contest
from matches.models import Match
from workshop.models import Try


@dataclass(frozen=True, slots=True)
class Origin:
    """A finished match, and the turn from which it is played anew."""

    replay_digest: str
    rules_version: str
    options: dict[str, Any]
    seed: int
    players: int
    turns: int
    turn: int
    """From 1."""


def origin_of_match(*, pk: int, turn: int, contest: Contest, reader: User) -> Origin | None:
    """Return a finished match of a contest as an origin (2 queries); None if the reader sees none with a replay."""
    seen = Match.objects.visible_to(reader).filter(pk=pk, contest=contest, state=Match.State.FINISHED)
    match = seen.select_related("result").exclude(result__replay_digest="").first()
    if match is None:
        return None
    players = match.seats.count() + match.remote_seats.count()
    result = match.result
    return Origin(result.replay_digest, match.rules_version, match.options, match.seed, players, result.turns, turn)


def origin_of_try(*, pk: int, turn: int, contest: Contest, reader: User) -> Origin | None:
    """Return an own try as an origin (1 query); None if there is none whose match was played."""
    tried = Try.objects.filter(pk=pk, owner=reader, contest=contest, state=Try.State.FINISHED).first()
    if tried is None:
        return None
    return Origin(tried.replay_digest, tried.rules_version, tried.options, tried.seed, tried.players, tried.turns, turn)
