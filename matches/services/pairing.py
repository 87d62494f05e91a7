"""Pairing: keeps a short queue of matches full."""

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
from matches.models import GameLock, Match
from matches.selectors.statements import ladder_in_flight_counts, ladder_in_flight_versions, opponents_count
from matches.services.lifecycle import matches_create
from matches.services.throttle import looks_to_pair
from rating import PROVISIONAL_GAMES
from rating.matchmaking import Candidate, Snapshot, choose
from rating.model import PRIOR_MEAN, PRIOR_SD

log = structlog.get_logger(__name__)

QueueClass = Match.QueueClass
_IN_FLIGHT = (Match.State.QUEUED, Match.State.RUNNING)
_MATCHES_REMEMBERED = 1_000
"""House bots may have played a hundred thousand."""


def matches_pair(*, game: str) -> int:
    """Fill the queue of a game: new encounters, each of them on one secret seed from all seats.

    Returns:
        How many matches were made; 0 when enough are in flight, nobody needs one, the game is not open, or somebody
        else pairs it just now.
    """
    rules = game_named(game)
    with transaction.atomic():
        # Two managers at once would both see the same short queue and fill it twice. The second does not wait: what it
        # would see is what the first has just filled.
        if not game_lock_if_free(game=game) or play_problem(game_state(game=game)):
            return 0
        in_flight = _in_flight(game)
        house = sum(queue_class == QueueClass.HOUSE for queue_class, _ in in_flight)
        wanted = _in_flight_wanted()
        # House bots' own matches have places of their own: they stand last in the queue and must not fill it up.
        missing = wanted - (len(in_flight) - house)
        if missing <= 0:  # so somebody's bot plays: house bots do not either
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
    """Fill the queue of a game of which a match has just ended, if it has become short and is still offered.

    Returns:
        How many matches were made.
    """
    if game not in settings.GAMES or not looks_to_pair(game=game):
        return 0
    in_flight = ladder_in_flight_counts().get(game, 0)
    # In batches: to pair one encounter costs nearly as much as to pair many.
    wanted = _in_flight_wanted()
    if in_flight > wanted - max(game_named(game).players[0], wanted // 2):
        return 0
    return matches_pair(game=game)


def _in_flight_wanted() -> int:
    """Return how many matches of a game should wait or run, so that no process waits for us (1 query)."""
    floor: int = settings.MATCHES_IN_FLIGHT
    return max(floor, 4 * processes_count())


def _choose(rules: Game[Any], snapshot: Snapshot, missing: int) -> list[tuple[int, ...]]:
    players = rules.players[0]
    tables = -(-max(missing, 0) // players)
    return choose(snapshot, tables=tables, players=players, rng=np.random.default_rng())


def _queue_classes(snapshot: Snapshot) -> Callable[[tuple[int, ...]], QueueClass]:
    """Return what tells the line in which the match of a table waits."""
    house = {row.version for row in snapshot.candidates if row.owner is None}
    placed = house | {row.version for row in snapshot.candidates if row.games >= PROVISIONAL_GAMES}

    def queue_class(table: tuple[int, ...]) -> QueueClass:
        if house.issuperset(table):
            return QueueClass.HOUSE
        return QueueClass.LADDER if placed.issuperset(table) else QueueClass.PLACEMENT

    return queue_class


def game_lock(*, game: str) -> GameLock:
    """Lock the row of a game until the transaction ends, and return it."""
    return GameLock.objects.select_for_update().get_or_create(game=game)[0]


def game_lock_if_free(*, game: str) -> bool:
    """Lock the row of a game until the transaction ends, unless somebody else holds it; say whether it is locked."""
    GameLock.objects.get_or_create(game=game)
    return bool(GameLock.objects.select_for_update(skip_locked=True).filter(game=game))


def _in_flight(game: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the line and the versions of each ladder match that waits or runs."""
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
    return Snapshot(candidates, in_flight, now, visitors=_visitors_play(), matches_with=_matches_with)


def _matches_with(version: int) -> dict[int, int]:
    """Return how many of a version's last rated matches were with each other version (1 query)."""
    return dict(opponents_count(version=version, matches=_MATCHES_REMEMBERED))


def _visitors_play() -> bool:
    """Say whether a ladder match of somebody's bot waits or runs, in whatever game."""
    return Match.objects.filter(state__in=_IN_FLIGHT, queue_class__in=Match.VISITORS).exists()


def _candidate(row: tuple[Any, ...], busy: Container[int], now: float) -> Candidate:
    """Make a candidate of the columns ``_CANDIDATE``; those of the rating are None until the first fit has seen it."""
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
