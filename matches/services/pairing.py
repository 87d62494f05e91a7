"""Pairing: makes new rated matches so that a short queue of them is always full."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from contests.models import Contest
from contests.selectors.contests import DUEL_SEATS, contest_named, tables_of
from contests.services.contests import contest_locked
from jobs.selectors.workers import processes_count
from ladder.models import BotVersion
from ladder.selectors.bots import participant_key
from matches.encounters import encounter_matches
from matches.models import Match
from matches.selectors.finals import final_games_lacking
from matches.selectors.statements import ladder_in_flight_counts, ladder_in_flight_versions, opponents_count
from matches.services.board_locks import board_lock_if_free
from matches.services.lifecycle import matches_create
from matches.services.throttle import pairing_check_due
from rating.finals import choose_finals
from rating.fit import PROVISIONAL_GAMES
from rating.matchmaking import Candidate, Snapshot, choose
from rating.model import PRIOR_MEAN, PRIOR_SD

log = structlog.get_logger(__name__)

QueueClass = Match.QueueClass
_IN_FLIGHT = (Match.State.QUEUED, Match.State.RUNNING)
_MATCHES_REMEMBERED = 1_000
"""Number of a version's last matches in which its encounters are counted: a house bot may have a hundred thousand."""


def contests_to_pair() -> list[str]:
    """Return the keys of contests that are paired, have two or more active versions, and a short queue (3 queries)."""
    people = Match.objects.filter(state__in=_IN_FLIGHT, queue_class__in=(QueueClass.PLACEMENT, QueueClass.LADDER))
    waiting = people.order_by().values_list("contest").annotate(count=Count("pk"))
    full = [contest for contest, _count in waiting.filter(count__gte=_in_flight_wanted())]
    finals = {"state": Contest.State.FROZEN, "final_stage": Contest.FinalStage.PLAYING}
    paired = Contest.objects.filter(Q(state=Contest.State.OPEN) | Q(**finals), game__in=settings.GAMES)
    active = BotVersion.objects.filter(state=BotVersion.State.ACTIVE, bot__contest__in=paired)
    active = active.exclude(bot__contest__in=full)
    counted = active.order_by().values_list("bot__contest").annotate(count=Count("pk"))
    return [contest for contest, _count in counted.filter(count__gte=DUEL_SEATS)]


def matches_pair(*, contest: str) -> int:
    """Fill the queue of a contest with new encounters, each on one secret seed played from all seats.

    Returns how many matches were made; 0 when enough are in flight, no version needs one, the contest is not paired, or
    another manager is pairing it.
    """
    with transaction.atomic():
        # Without the lock two managers would see the same short queue and fill it twice. The second does not wait for
        # it: the first has just filled the queue. The state is read under the lock, too: a final board is signed under
        # it, and no match may be made afterwards.
        if not board_lock_if_free(contest=contest):
            return 0
        found = contest_named(slug=contest)
        if found is None or not found.is_paired:
            return 0
        if not found.has_matches:  # its organiser may be changing its table sizes at this moment
            found = contest_locked(contest=contest)
        in_flight = _in_flight(contest)
        house = sum(queue_class == QueueClass.HOUSE for queue_class, _ in in_flight)
        wanted = _in_flight_wanted()
        # Matches of house bots among themselves, after their first ones, are served last and are not counted here, else
        # they would fill the queue.
        missing = wanted - (len(in_flight) - house)
        if missing <= 0:  # people's bots play, so no match of house bots is needed either
            return 0
        snapshot = _snapshot(contest, [versions for _, versions in in_flight])
        sizes = tables_of(contest=found)
        if found.is_in_finals:
            finals = partial(choose_finals, lacking=final_games_lacking(contest=found))
            tables = _choose(snapshot, sizes, missing, finals)
        else:
            tables = _choose(replace(snapshot, visitors=True), sizes, missing)
            if not tables and not snapshot.visitors:
                tables = _choose(snapshot, sizes, wanted - house)
        queue_class = _queue_classes(snapshot)
        encounters = (encounter_matches(found, table, queue_class=queue_class(table)) for table in tables)
        matches_create(tables=[seated for encounter in encounters for seated in encounter])
    if tables:
        log.info("matches_paired", contest=contest, encounters=len(tables))
    return sum(map(len, tables))


def matches_pair_again(*, contest: str) -> int:
    """Fill the queue of a contest in which a match has just ended, if its check is due and half of it or more is free.

    ``pairing_check_due`` decides by chance. ``contest`` is a key; an empty one has no effect. Returns how many matches
    were made, most often 0.
    """
    if not contest or not pairing_check_due(contest=contest):
        return 0
    in_flight = ladder_in_flight_counts().get(contest, 0)
    # In batches: to pair one encounter costs nearly as much as to pair many.
    wanted = _in_flight_wanted()
    if in_flight > wanted - max(DUEL_SEATS, wanted // 2):
        return 0
    return matches_pair(contest=contest)


def _in_flight_wanted() -> int:
    """Return how many matches of a contest should wait or run, so that no process of a worker idles (1 query)."""
    floor: int = settings.MATCHES_IN_FLIGHT
    return max(floor, 4 * processes_count())


def _choose(
    snapshot: Snapshot,
    sizes: Mapping[int, float],
    missing: int,
    choose_tables: Callable[..., list[tuple[int, ...]]] = choose,
) -> list[tuple[int, ...]]:
    """Choose tables for at least ``missing`` matches, of sizes drawn by their shares of the contest's matches.

    A size for which there are too few bots is left out; the others get its share.
    """
    rng = np.random.default_rng()
    left, tables = dict(sizes), list[tuple[int, ...]]()
    while left and missing > 0:
        size = int(rng.choice(list(left), p=_odds(left)))
        wanted = -(-missing // size) if len(left) == 1 else 1
        found = choose_tables(snapshot, tables=wanted, players=size, rng=rng)
        if len(found) < wanted:
            del left[size]
        tables += found
        missing -= size * len(found)
        snapshot = replace(snapshot, in_flight=[*snapshot.in_flight, *(table for table in found for _seat in table)])
    return tables


def _odds(shares: Mapping[int, float]) -> list[float]:
    """Return the odds of each size of an encounter, which has as many matches as seats."""
    odds = [share / size for size, share in shares.items()]
    return [chance / sum(odds) for chance in odds]


def _queue_classes(snapshot: Snapshot) -> Callable[[tuple[int, ...]], QueueClass]:
    """Return a function from a table, the versions that meet, to the queue class of its matches."""
    house = {row.version for row in snapshot.candidates if row.owner is None}
    placed = {row.version for row in snapshot.candidates if row.games >= PROVISIONAL_GAMES}

    def queue_class(table: tuple[int, ...]) -> QueueClass:
        if not placed.issuperset(table):
            return QueueClass.PLACEMENT
        return QueueClass.HOUSE if house.issuperset(table) else QueueClass.LADDER

    return queue_class


def _in_flight(contest: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the queue class and the versions of each ladder match that waits or runs."""
    matches: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for match, queue_class, version in ladder_in_flight_versions(contest=contest):
        matches[match, queue_class].append(version)
    return [(queue_class, tuple(versions)) for (_, queue_class), versions in matches.items()]


_CANDIDATE = (
    *("pk", "artifact_digest", "activated_at", "created_at", "bot__is_house", "participant"),
    *(f"rating__{name}" for name in ("rating", "standard_error", "games", "last_match_at")),
)


def _snapshot(contest: str, in_flight: list[tuple[int, ...]]) -> Snapshot:
    now = timezone.now().timestamp()
    busy = {version for match in in_flight for version in match}
    versions = BotVersion.objects.filter(bot__contest=contest, state=BotVersion.State.ACTIVE)
    rows = versions.order_by("pk").annotate(participant=participant_key("bot__")).values_list(*_CANDIDATE)
    candidates = [_candidate(row, busy, now) for row in rows]
    # Of all contests: after their first matches house bots play among themselves only while no process is needed for
    # people's bots, first matches or a tournament.
    awaited = (*Match.VISITORS, QueueClass.TOURNAMENT)
    visitors = Match.objects.filter(state__in=_IN_FLIGHT, queue_class__in=awaited).exists()
    return Snapshot(candidates, in_flight, now, visitors=visitors, matches_with=_matches_with)


def _matches_with(version: int) -> dict[int, int]:
    """Return how many of a version's last rated matches were with each other version (1 query)."""
    return dict(opponents_count(version=version, matches=_MATCHES_REMEMBERED))


def _candidate(row: tuple[Any, ...], busy: Container[int], now: float) -> Candidate:
    """Make a candidate from the columns ``_CANDIDATE``; its rating's columns are None before its first fit."""
    version, artifact, activated_at, created_at, is_house, participant, rating, standard_error, games, last_match_at = (
        row
    )
    return Candidate(
        version=version,
        owner=None if is_house else participant,
        artifact=artifact,
        rating=PRIOR_MEAN if rating is None else rating,
        se=standard_error or PRIOR_SD,
        games=games or 0,
        waiting_since=now if version in busy else (last_match_at or activated_at or created_at).timestamp(),
    )
