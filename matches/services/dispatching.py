"""Hands out what waits for a worker: the only place from where messages of queued matches and builds are sent first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from ladder.models import BotVersion, Worker
from ladder.services.builds import build_ring
from matches.fairness import BUILD, HOUSE_BUILD, Job, jobs_choose
from matches.models import Match, QueueLock, Seat
from matches.services.ringing import matches_ring

_MATCHES = (Match.State.QUEUED, Match.State.RUNNING)
_BUILDS = (BotVersion.State.UPLOADED, BotVersion.State.BUILDING)
_LOCK = 1


def queue_dispatch() -> int:
    """Hand out as much as the workers can take, by ``matches.fairness``.

    A row's ``rung_at`` tells whether it is out: null while it stands in its line.

    Returns:
        How many matches and builds were handed out.
    """
    if not _anything_waits():
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
            lock.save()
            _ring(chosen)
    return len(chosen)


def processes_count() -> int:
    """Return how many processes play and build now, or may be thought to while no worker has told (1 query)."""
    workers = Worker.objects.filter(state=Worker.State.ACTIVE)
    known: int | None = workers.aggregate(Sum("processes"))["processes__sum"]
    assumed: int = settings.PROCESSES_ASSUMED
    return known or assumed


def _anything_waits() -> bool:
    """Look without the lock, as most of those do who ask (2 queries at most)."""
    return (
        Match.objects.filter(state=Match.State.QUEUED, rung_at=None).exists()
        or BotVersion.objects.filter(state=BotVersion.State.UPLOADED, rung_at=None).exists()
    )


def _matches() -> Iterable[tuple[Job, bool]]:
    """Return the matches in flight, and whether each of them is out (1 query)."""
    seats = Seat.objects.filter(match__state__in=_MATCHES).order_by()
    bots: defaultdict[tuple[int, str, bool], set[str]] = defaultdict(set)
    for pk, line, rung_at, bot in seats.values_list("match", "match__queue_class", "match__rung_at", "version__bot"):
        bots[pk, line, rung_at is not None].add(f"bot {bot}")
    return [(Job(line, pk, frozenset(holders)), out) for (pk, line, out), holders in bots.items()]


def _builds() -> Iterable[tuple[Job, bool]]:
    """Return the builds in flight, and whether each of them is out (1 query)."""
    versions = BotVersion.objects.filter(state__in=_BUILDS).order_by()
    for pk, owner, is_house, rung_at in versions.values_list("pk", "bot__owner", "bot__is_house", "rung_at"):
        line = HOUSE_BUILD if is_house else BUILD
        yield Job(line, pk, frozenset({f"builds of {owner}"})), rung_at is not None


def _ring(jobs: Sequence[Job]) -> None:
    """Send the messages; builds and matches have queues of their own."""
    for job in jobs:
        if job.is_build:
            build_ring(version_id=job.pk)
    matches_ring(pks=[job.pk for job in jobs if not job.is_build])
