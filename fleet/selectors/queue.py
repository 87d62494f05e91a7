"""Queries on the queue: what waits and for how long, and how many processes the arena should have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Min, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from jobs.fairness import BUILD, HOUSE_BUILD, TRY
from jobs.models import Worker
from ladder.models import BotVersion
from ladder.selectors.builds import builds_nobody_awaits
from matches.models import Match
from workshop.models import Try

QUEUE_SECONDS_WANTED = 30
"""The target of scaling: no match should wait longer than this for a worker."""
GROWTH_MAX = 2
"""Largest factor by which the number of processes grows at once, since the age of the queue lags behind its length."""

_NOBODY_WAITS = (HOUSE_BUILD, Match.QueueClass.HOUSE, Match.QueueClass.TABLE)
"""Queue classes for which no process is added: matches between house bots, of which there are always more, builds of
versions that will not play because the bot has a newer one, and tables, which have workers of their own."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """The waiting jobs of one game and queue class."""

    game: str
    queue_class: str
    """``Match.QueueClass`` for matches; for builds ``BUILD`` or ``HOUSE_BUILD``, and ``TRY`` (``jobs.fairness``)."""
    title: str
    """The queue class's name for people, translated."""
    length: int
    oldest_seconds: float
    """How long the oldest of the jobs has waited."""


@dataclass(frozen=True, slots=True)
class ProcessTotals:
    """The playing processes of all workers that take work."""

    processes: int
    busy: int
    cores: int
    cores_busy: float
    """How many cores are busy, by the processor load that hosts report."""


def queue_rows() -> list[QueueRow]:
    """Return the waiting jobs by game and queue class, without tables (2 queries, however many matches there are)."""
    now = timezone.now()
    waiting = Match.objects.filter(state=Match.State.QUEUED).exclude(kind=Match.Kind.EXHIBITION).order_by()
    matches = waiting.values_list("game", "queue_class").annotate(Count("pk"), Min("created_at"))
    versions = BotVersion.objects.filter(state=BotVersion.State.UPLOADED).annotate(unawaited=builds_nobody_awaits())
    builds = versions.annotate(queue_class=Case(When(unawaited=True, then=Value(HOUSE_BUILD)), default=Value(BUILD)))
    tries = Try.objects.filter(state=Try.State.WAITING).annotate(queue_class=Value(TRY))
    others = _counted(builds, "bot__game").union(_counted(tries, "contest__game"), all=True)
    rows = [_row(game, name, Match.QueueClass(name).label, length, since, now) for game, name, length, since in matches]
    titles = {HOUSE_BUILD: _("builds nobody waits for"), BUILD: _("builds"), TRY: _("tries in the workshop")}
    rows += [_row(game, name, titles[name], length, since, now) for game, name, length, since in others]
    return sorted(rows, key=lambda row: (row.game, row.queue_class))


def _counted(waiting: QuerySet[Any], game: str) -> QuerySet[Any, Any]:
    """Return tuples of game, queue class, number of rows, and when the oldest was created; ``game`` names the field."""
    counts: QuerySet[Any, Any] = (
        waiting.order_by().values_list(game, "queue_class").annotate(Count("pk"), Min("created_at"))
    )
    return counts


def _row(game: str, queue_class: str, title: object, length: int, since: datetime, now: datetime) -> QueueRow:
    return QueueRow(game, queue_class, str(title), length, max((now - since).total_seconds(), 0.0))


@dataclass(frozen=True, slots=True)
class InFlight:
    """Matches that are being played, and exhibitions."""

    running: int
    """Matches that are being played, without exhibitions."""
    taken: int
    """Exhibitions that have a table, or are being given one."""
    waiting: int
    """Exhibitions that wait in line for a table."""


def matches_in_flight() -> InFlight:
    """Count the matches that are being played, and the exhibitions (1 query)."""
    exhibition, sent = Q(kind=Match.Kind.EXHIBITION), Q(notified_at__isnull=False)
    counts = Match.objects.filter(state__in=[Match.State.QUEUED, Match.State.RUNNING]).aggregate(
        running=Count("pk", filter=Q(state=Match.State.RUNNING) & ~exhibition),
        taken=Count("pk", filter=exhibition & sent),
        waiting=Count("pk", filter=exhibition & ~sent),
    )
    return InFlight(**counts)


def tables_total(*, workers: Sequence[Worker]) -> int:
    """Return how many tables the workers that take work hold together (no query)."""
    return sum(worker.tables for worker in workers if worker.state == Worker.State.ACTIVE)


def process_totals(*, workers: Sequence[Worker]) -> ProcessTotals:
    """Add up the workers that take work, without those of tables (no query)."""
    active = [worker for worker in workers if worker.state == Worker.State.ACTIVE and not worker.tables]
    return ProcessTotals(
        processes=sum(worker.processes for worker in active),
        busy=sum(worker.busy for worker in active),
        cores=sum(worker.cores for worker in active),
        cores_busy=sum((worker.cpu_percent or 0.0) / 100 * worker.cores for worker in active),
    )


def jobs_running() -> int:
    """Return how many matches, builds and tries run now, without those of ``_NOBODY_WAITS`` (2 queries)."""
    matches = Match.objects.filter(state=Match.State.RUNNING).exclude(queue_class__in=_NOBODY_WAITS)
    builds = BotVersion.objects.filter(state=BotVersion.State.BUILDING).exclude(builds_nobody_awaits())
    tries = Try.objects.filter(state=Try.State.RUNNING)
    return matches.count() + builds.order_by().values("pk").union(tries.order_by().values("pk"), all=True).count()


def processes_wanted(*, rows: Sequence[QueueRow], totals: ProcessTotals, running: int, is_managed: bool) -> int:
    """Return how many playing processes the arena should have now, for an orchestrator that scales workers.

    The number scales with the age of the queue, by the rule of Kubernetes' horizontal autoscaler: ``ceil(processes *
    age / QUEUE_SECONDS_WANTED)``. It is at least the number of busy processes and at most ``GROWTH_MAX`` times the
    present number. It never exceeds the number of jobs, since a process plays one job at a time and an old job may wait
    for something else than a process. Jobs of ``_NOBODY_WAITS`` count for nothing.

    While managers are behind, it does not exceed the present number: jobs then wait for results to be recorded, and
    further workers would send even more of them.

    Args:
        rows: the waiting jobs, from ``queue_rows``.
        totals: the processes of the workers that take work.
        running: how many jobs run now, from ``jobs_running``.
        is_managed: whether managers keep up with workers' reports (``jobs.managers``).
    """
    if not totals.processes:
        return int(bool(rows))
    waiting = [row for row in rows if row.queue_class not in _NOBODY_WAITS]
    jobs = running + sum(row.length for row in waiting)
    oldest = max((row.oldest_seconds for row in waiting), default=0.0)
    by_age = math.ceil(totals.processes * oldest / QUEUE_SECONDS_WANTED)
    most = GROWTH_MAX * totals.processes if is_managed else totals.processes
    return max(min(max(by_age, totals.busy), most, jobs), 1)
