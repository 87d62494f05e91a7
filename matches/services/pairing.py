"""Pairing: makes new rated matches so that a short queue of them is always full."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any

import numpy as np
import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core.game import Game
from games.registry import game_named
from jobs.selectors.workers import processes_count
from ladder.models import BotVersion
from ladder.selectors.games import game_state, play_problem
from matches.encounters import encounter_matches
from matches.models import Match
from matches.selectors.statements import ladder_in_flight_counts, ladder_in_flight_versions, opponents_count
from matches.services.game_locks import game_lock_if_free
from matches.services.lifecycle import matches_create
from matches.services.throttle import pairing_check_due
from rating import PROVISIONAL_GAMES
from rating.matchmaking import Candidate, Snapshot, choose
from rating.model import PRIOR_MEAN, PRIOR_SD

log = structlog.get_logger(__name__)

QueueClass = Match.QueueClass
_IN_FLIGHT = (Match.State.QUEUED, Match.State.RUNNING)
_MATCHES_REMEMBERED = 1_000
"""Number of a version's last matches in which its encounters are counted: a house bot may have a hundred thousand."""


def matches_pair(*, game: str) -> int:
    """Fill the queue of a game with new encounters, each on one secret seed played from all seats.

    Returns:
        How many matches were made; 0 when enough are in flight, no version needs one, the game is not open, or another
        manager is pairing it.
    """
    rules = game_named(game)
    with transaction.atomic():
        # Without the lock two managers would see the same short queue and fill it twice. The second does not wait for
        # it: the first has just filled the queue.
        if not game_lock_if_free(game=game) or play_problem(game_state(game=game)):
            return 0
        in_flight = _in_flight(game)
        house = sum(queue_class == QueueClass.HOUSE for queue_class, _ in in_flight)
        wanted = _in_flight_wanted()
        # Matches of house bots among themselves are served last and are not counted here, else they would fill the
        # queue.
        missing = wanted - (len(in_flight) - house)
        if missing <= 0:  # people's bots play, so no match of house bots is needed either
            return 0
        snapshot = _snapshot(game, [versions for _, versions in in_flight])
        tables = _choose(rules, replace(snapshot, visitors=True), missing)
        if not tables and not snapshot.visitors:
            tables = _choose(rules, snapshot, wanted - house)
        queue_class = _queue_classes(snapshot)
        encounters = (encounter_matches(rules, table, queue_class=queue_class(table)) for table in tables)
        matches_create(tables=[seated for encounter in encounters for seated in encounter])
    if tables:
        log.info("matches_paired", game=game, encounters=len(tables))
    return len(tables) * rules.players[0]


def matches_pair_again(*, game: str) -> int:
    """Fill the queue of a game in which a match has just ended, if the queue is short and the site has the game.

    Returns:
        How many matches were made.
    """
    if game not in settings.GAMES or not pairing_check_due(game=game):
        return 0
    in_flight = ladder_in_flight_counts().get(game, 0)
    # In batches: to pair one encounter costs nearly as much as to pair many.
    wanted = _in_flight_wanted()
    if in_flight > wanted - max(game_named(game).players[0], wanted // 2):
        return 0
    return matches_pair(game=game)


def _in_flight_wanted() -> int:
    """Return how many matches of a game should wait or run, so that no process of a worker idles (1 query)."""
    floor: int = settings.MATCHES_IN_FLIGHT
    return max(floor, 4 * processes_count())


def _choose(rules: Game[Any], snapshot: Snapshot, missing: int) -> list[tuple[int, ...]]:
    players = rules.players[0]
    tables = -(-max(missing, 0) // players)
    return choose(snapshot, tables=tables, players=players, rng=np.random.default_rng())


def _queue_classes(snapshot: Snapshot) -> Callable[[tuple[int, ...]], QueueClass]:
    """Return a function from a table, the versions that meet, to the queue class of its matches."""
    house = {row.version for row in snapshot.candidates if row.owner is None}
    placed = house | {row.version for row in snapshot.candidates if row.games >= PROVISIONAL_GAMES}

    def queue_class(table: tuple[int, ...]) -> QueueClass:
        if house.issuperset(table):
            return QueueClass.HOUSE
        return QueueClass.LADDER if placed.issuperset(table) else QueueClass.PLACEMENT

    return queue_class


def _in_flight(game: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the queue class and the versions of each ladder match that waits or runs."""
    matches: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for match, queue_class, version in ladder_in_flight_versions(game=game):
        matches[match, queue_class].append(version)
    return [(queue_class, tuple(versions)) for (_, queue_class), versions in matches.items()]


_CANDIDATE = (
    *("pk", "artifact_digest", "activated_at", "created_at", "bot__is_house", "bot__owner"),
    *(f"rating__{name}" for name in ("rating", "standard_error", "games", "last_match_at")),
)


def _snapshot(game: str, in_flight: list[tuple[int, ...]]) -> Snapshot:
    now = timezone.now().timestamp()
    busy = {version for match in in_flight for version in match}
    versions = BotVersion.objects.filter(bot__game=game, state=BotVersion.State.ACTIVE)
    candidates = [_candidate(row, busy, now) for row in versions.order_by("pk").values_list(*_CANDIDATE)]
    # Of all games: house bots play among themselves only while no process is needed for people's bots.
    visitors = Match.objects.filter(state__in=_IN_FLIGHT, queue_class__in=Match.VISITORS).exists()
    return Snapshot(candidates, in_flight, now, visitors=visitors, matches_with=_matches_with)


def _matches_with(version: int) -> dict[int, int]:
    """Return how many of a version's last rated matches were with each other version (1 query)."""
    return dict(opponents_count(version=version, matches=_MATCHES_REMEMBERED))


def _candidate(row: tuple[Any, ...], busy: Container[int], now: float) -> Candidate:
    """Make a candidate from the columns ``_CANDIDATE``; its rating's columns are None before its first fit."""
    version, artifact, activated_at, created_at, is_house, owner, rating, standard_error, games, last_match_at = row
    return Candidate(
        version=version,
        owner=None if is_house else owner,
        artifact=artifact,
        rating=PRIOR_MEAN if rating is None else rating,
        se=standard_error or PRIOR_SD,
        games=games or 0,
        waiting_since=now if version in busy else (last_match_at or activated_at or created_at).timestamp(),
    )
