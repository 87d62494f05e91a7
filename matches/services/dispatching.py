"""Hands out what waits for a worker: the only place from where messages of queued matches and builds are sent first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import structlog
from django.db import transaction

from common.queries.sql import rows_update
from jobs.fairness import BUILD, HOUSE_BUILD, OUT_PER_PROCESS, Job, jobs_choose
from jobs.files.storage import stores_full, stores_problem
from jobs.leases import held_times
from jobs.selectors.workers import processes_count
from ladder.models import BotVersion
from ladder.selectors.bots import builds_nobody_awaits
from ladder.services.builds import build_ring
from ladder.services.versions import bots_lock
from matches.models import QueueLock
from matches.selectors.statements import in_flight_bots, in_flight_count
from matches.services.ringing import matches_ring

log = structlog.get_logger(__name__)

_BUILDS = (BotVersion.State.UPLOADED, BotVersion.State.BUILDING)
_LOCK = 1


def queue_dispatch() -> int:
    """Hand out as much as the workers can take, by ``jobs.fairness``.

    A row's ``rung_at`` tells whether it is out: null while it stands in its line. In batches: to hand out one costs
    nearly as much as to hand out many. No process waits for that, since a worker finds what is spare meanwhile.
    Nothing while the disk is full, the data folder refuses files or the bucket is away: no bot could be fetched and no
    replay stored, and all that waits would lose its attempts and be void.

    Returns:
        How many matches and builds were handed out.
    """
    if not _is_due():
        return 0
    if full := stores_full():
        log.error("disk_full", problem=full)
        return 0
    if problem := stores_problem():
        log.error("store_away", problem=problem)
        return 0
    with transaction.atomic():
        # Two at once would both see the same free processes and hand out twice as much.
        lock, _ = QueueLock.objects.select_for_update().get_or_create(pk=_LOCK)
        rows = [*_matches(), *_builds()]
        chosen, lock.ahead = jobs_choose(
            waiting=(job for job, out in rows if not out),
            out=(job for job, out in rows if out),
            ahead=lock.ahead,
            processes=processes_count(),
        )
        if chosen:
            rows_update([lock], ["ahead"])
            _ring(chosen)
    return len(chosen)


def _is_due() -> bool:
    """Look without the lock, as most of those do who ask (2 queries)."""
    matches, out, uploads = in_flight_count()
    if matches == out:
        return uploads
    processes = processes_count()
    return OUT_PER_PROCESS * processes - out >= max(processes // 2, 1)


def _matches() -> Iterable[tuple[Job, bool]]:
    """Return the matches in flight that are not held, and whether each of them is out (1 query)."""
    held_by: defaultdict[tuple[int, str, bool], set[str]] = defaultdict(set)
    for pk, line, out, bot, owner, is_house in in_flight_bots(held=held_times()):
        # The attack: six bots of one owner sleep to their wall limit, each in half of the processes.
        held_by[pk, line, out].add(f"bot {bot}" if is_house else f"owner {owner}")
    return [(Job(line, pk, frozenset(holders)), out) for (pk, line, out), holders in held_by.items()]


def _builds() -> Iterable[tuple[Job, bool]]:
    """Return the builds in flight that are not held, and whether each of them is out (1 query)."""
    after, until = held_times()
    versions = BotVersion.objects.filter(state__in=_BUILDS).exclude(held_until__gt=after, held_until__lte=until)
    versions = versions.annotate(unawaited=builds_nobody_awaits()).order_by()
    columns = ("pk", "bot__owner", "unawaited", "rung_at", "attempt", "step")
    for pk, owner, unawaited, rung_at, attempt, step in versions.values_list(*columns):
        line = HOUSE_BUILD if unawaited else BUILD
        # One that was taken back has used up no attempt, but has reached a step.
        is_again = attempt > 1 or bool(step)
        yield Job(line, pk, frozenset({f"builds of {owner}"}), is_again), rung_at is not None


def _ring(jobs: Sequence[Job]) -> None:
    """Send the messages; builds and matches have queues of their own."""
    builds = [job.pk for job in jobs if job.is_build]
    if builds:
        bots_lock(pks=BotVersion.objects.filter(pk__in=builds).values("bot"))
    for version in builds:
        build_ring(version_id=version)
    matches_ring(pks=[job.pk for job in jobs if not job.is_build])
