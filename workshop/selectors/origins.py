"""Reads the matches from which a try goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
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
    """The first turn that is played anew, from 1."""


def origin_of(*, match: int | None, tried: int | None, turn: int, contest: Contest, reader: User) -> Origin:
    """Return the match or the reader's own try from whose turn ``turn`` a program plays on (3 queries at most).

    ``match`` and ``tried`` are keys; if ``tried`` is None, the match counts.

    Raises:
        InputError: the reader sees none of this number that was played in the contest and has a replay.
    """
    origin = (
        _of_match(pk=match or 0, turn=turn, contest=contest, reader=reader)
        if tried is None
        else _of_try(pk=tried, turn=turn, contest=contest, reader=reader)
    )
    if origin is None:
        raise InputError(_("There is no such match with a replay. Please choose another one."))
    return origin


def _of_match(*, pk: int, turn: int, contest: Contest, reader: User) -> Origin | None:
    seen = Match.objects.visible_to(reader).filter(pk=pk, contest=contest, state=Match.State.FINISHED)
    match = seen.select_related("result").exclude(result__replay_digest="").first()
    if match is None:
        return None
    players = match.seats.count() + match.remote_seats.count()
    result = match.result
    return Origin(result.replay_digest, match.rules_version, match.options, match.seed, players, result.turns, turn)


def _of_try(*, pk: int, turn: int, contest: Contest, reader: User) -> Origin | None:
    tried = Try.objects.filter(pk=pk, owner=reader, contest=contest, state=Try.State.FINISHED).first()
    if tried is None:
        return None
    return Origin(tried.replay_digest, tried.rules_version, tried.options, tried.seed, tried.players, tried.turns, turn)
