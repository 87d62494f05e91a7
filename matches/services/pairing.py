"""Pairing: keeps a short queue of matches full."""

from __future__ import annotations

import secrets
import uuid
from collections import defaultdict
from typing import Any

import numpy as np
import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

import core
from core.game import Game
from ladder.models import BotVersion
from ladder.rating.model import PRIOR_MEAN, PRIOR_SD
from matches.matchmaking import Candidate, Snapshot, choose, rotations
from matches.models import GameLock, Match, Seat
from matches.services.lifecycle import match_create

log = structlog.get_logger(__name__)

_IN_FLIGHT = (Match.State.QUEUED, Match.State.RUNNING)
_SEEDS = 2**53
"""Seeds stay below: browsers know no larger whole numbers exactly, and a replay shows its seed."""


def matches_pair(*, game: str) -> int:
    """Fill the queue of a game: new encounters, each of them on one secret seed from all seats.

    Returns:
        How many matches were made; 0 when enough are in flight, or nobody needs one.
    """
    rules = core.game(game)
    with transaction.atomic():
        # Two managers at once would both see the same short queue and fill it twice.
        game_lock(game=game)
        in_flight = _in_flight(game)
        missing = settings.MATCHES_IN_FLIGHT - len(in_flight)
        if missing <= 0:
            return 0
        players = rules.players[0]
        tables = choose(
            _snapshot(game, in_flight), tables=-(-missing // players), players=players, rng=np.random.default_rng()
        )
        for table in tables:
            _encounter_create(rules, table)
    if tables:
        log.info("matches_paired", game=game, encounters=len(tables))
    return len(tables) * players


def game_lock(*, game: str) -> GameLock:
    """Lock the row of a game until the transaction ends, and return it."""
    GameLock.objects.get_or_create(game=game)
    return GameLock.objects.select_for_update().get(game=game)


def _in_flight(game: str) -> list[tuple[int, ...]]:
    """Return the versions of each ladder match that waits or runs."""
    seats = Seat.objects.filter(match__game=game, match__kind=Match.Kind.LADDER, match__state__in=_IN_FLIGHT)
    matches: defaultdict[int, list[int]] = defaultdict(list)
    for match, version in seats.values_list("match", "version"):
        matches[match].append(version)
    return [tuple(versions) for versions in matches.values()]


def _snapshot(game: str, in_flight: list[tuple[int, ...]]) -> Snapshot:
    now = timezone.now().timestamp()
    busy = {version for match in in_flight for version in match}
    versions = BotVersion.objects.filter(bot__game=game, state=BotVersion.State.ACTIVE).defer("log")
    rows = versions.select_related("bot", "rating").order_by("pk")
    candidates = [_candidate(row, now if row.pk in busy else None) for row in rows]
    return Snapshot(candidates, in_flight, now, visitors=_visitors_play())


def _visitors_play() -> bool:
    """Say whether a match of somebody's bot waits or runs, in whatever game."""
    return Seat.objects.filter(match__state__in=_IN_FLIGHT, version__bot__is_house=False).exists()


def _candidate(version: BotVersion, playing_at: float | None) -> Candidate:
    rating = getattr(version, "rating", None)  # None until the first fit has seen it
    last = (rating and rating.last_match_at) or version.activated_at or version.created_at
    return Candidate(
        version=version.pk,
        owner=None if version.bot.is_house else version.bot.owner_id,
        artifact=version.artifact_digest,
        rating=rating.rating if rating else PRIOR_MEAN,
        se=rating.standard_error if rating else PRIOR_SD,
        games=rating.games if rating else 0,
        waiting_since=playing_at or last.timestamp(),
    )


def _encounter_create(rules: Game[Any], table: tuple[int, ...]) -> None:
    """Make the matches of an encounter and hand them out. Nobody can guess the seed before the match is played."""
    encounter, seed = uuid.uuid4().hex, secrets.randbelow(_SEEDS)
    for seating in rotations(table):
        match_create(
            game=rules.name,
            rules_version=rules.rules_version,
            options=next(iter(rules.rulesets.values())),
            seed=seed,
            versions=seating,
            encounter=encounter,
        )
