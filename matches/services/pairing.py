"""Pairing: keeps a short queue of matches full."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

import core
from core.game import Game
from ladder.models import BotVersion
from ladder.rating import PROVISIONAL_GAMES
from ladder.rating.model import PRIOR_MEAN, PRIOR_SD
from ladder.selectors.games import game_state, play_problem
from matches.encounters import encounter_new
from matches.matchmaking import Candidate, Snapshot, choose, rotations
from matches.models import GameLock, Match, Seat
from matches.services.dispatching import processes_count
from matches.services.lifecycle import matches_create

log = structlog.get_logger(__name__)

QueueClass = Match.QueueClass
_IN_FLIGHT = (Match.State.QUEUED, Match.State.RUNNING)
_MATCHES_REMEMBERED = 1_000
"""House bots may have played a hundred thousand."""


def matches_pair(*, game: str) -> int:
    """Fill the queue of a game: new encounters, each of them on one secret seed from all seats.

    Returns:
        How many matches were made; 0 when enough are in flight, nobody needs one, or the game is not open.
    """
    rules = core.game(game)
    with transaction.atomic():
        # Two managers at once would both see the same short queue and fill it twice.
        game_lock(game=game)
        if play_problem(game_state(game=game)):
            return 0
        in_flight = _in_flight(game)
        house = sum(queue_class == QueueClass.HOUSE for queue_class, _ in in_flight)
        snapshot = _snapshot(game, [versions for _, versions in in_flight])
        wanted = _in_flight_wanted()
        # House bots' own matches have places of their own: they stand last in the queue and must not fill it up.
        tables = _choose(rules, replace(snapshot, visitors=True), wanted - (len(in_flight) - house))
        if not tables and not snapshot.visitors:
            tables = _choose(rules, snapshot, wanted - house)
        queue_class = _queue_classes(snapshot)
        matches_create(tables=[seated for table in tables for seated in _encounter(rules, table, queue_class(table))])
    if tables:
        log.info("matches_paired", game=game, encounters=len(tables))
    return len(tables) * rules.players[0]


def matches_pair_again(*, ended: int) -> int:
    """Fill the queue of the game of a match that has just ended, if it has become short.

    Returns:
        How many matches were made.
    """
    game = Match.objects.filter(pk=ended, game__in=settings.GAMES).values_list("game", flat=True).first()
    if game is None:  # a worker may report what it likes, and a game may have been closed meanwhile
        return 0
    in_flight = Match.objects.filter(game=game, state__in=_IN_FLIGHT, kind=Match.Kind.LADDER).count()
    # In batches: to pair one encounter costs nearly as much as to pair many.
    wanted = _in_flight_wanted()
    if in_flight > wanted - max(core.game(game).players[0], wanted // 2):
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


def _in_flight(game: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the line and the versions of each ladder match that waits or runs."""
    seats = Seat.objects.filter(match__game=game, match__kind=Match.Kind.LADDER, match__state__in=_IN_FLIGHT)
    matches: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for match, queue_class, version in seats.values_list("match", "match__queue_class", "version"):
        matches[match, queue_class].append(version)
    return [(queue_class, tuple(versions)) for (_, queue_class), versions in matches.items()]


_CANDIDATE = [
    *("artifact_digest", "activated_at", "created_at", "bot__is_house", "bot__owner"),
    *(f"rating__{name}" for name in ("rating", "standard_error", "games", "last_match_at")),
]


def _snapshot(game: str, in_flight: list[tuple[int, ...]]) -> Snapshot:
    now = timezone.now().timestamp()
    busy = {version for match in in_flight for version in match}
    versions = BotVersion.objects.filter(bot__game=game, state=BotVersion.State.ACTIVE)
    rows = versions.select_related("bot", "rating").only(*_CANDIDATE).order_by("pk")
    candidates = [_candidate(row, now if row.pk in busy else None) for row in rows]
    return Snapshot(candidates, in_flight, now, visitors=_visitors_play(), matches_with=_matches_with)


def _matches_with(version: int) -> dict[int, int]:
    """Return how many of a version's last rated matches were with each other version (1 query)."""
    own = Seat.objects.filter(version=version, match__kind=Match.Kind.LADDER, match__state=Match.State.FINISHED)
    last = own.order_by("-match").values("match")[:_MATCHES_REMEMBERED]
    others = Seat.objects.filter(match__in=last).exclude(version=version).order_by()
    return dict(others.values_list("version").annotate(Count("pk")))


def _visitors_play() -> bool:
    """Say whether a ladder match of somebody's bot waits or runs, in whatever game."""
    visitors = (QueueClass.PLACEMENT, QueueClass.LADDER)
    return Match.objects.filter(state__in=_IN_FLIGHT, queue_class__in=visitors).exists()


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


def _encounter(
    rules: Game[Any], table: tuple[int, ...], queue_class: QueueClass
) -> Iterator[tuple[Match, tuple[int, ...]]]:
    """Make the matches of an encounter."""
    encounter, seed = encounter_new()
    options = next(iter(rules.rulesets.values()))
    rule = {"game": rules.name, "rules_version": rules.rules_version, "options": options}
    for seating in rotations(table):
        yield Match(**rule, seed=seed, encounter=encounter, queue_class=queue_class), seating
