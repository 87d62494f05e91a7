"""What waits, for how long, and how many processes would be right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min
from django.utils import timezone
from django.utils.translation import gettext as _

from jobs.fairness import BUILD, HOUSE_BUILD
from jobs.models import Worker
from ladder.models import BotVersion
from ladder.selectors.builds import builds_nobody_awaits
from matches.models import Match

QUEUE_SECONDS_WANTED = 30
"""No match should wait longer for a worker: the aim of scaling."""
GROWTH_MAX = 2
"""At most so many times as many processes are asked for at once: the age of a queue tells of the past."""

_NOBODY_WAITS = (HOUSE_BUILD, Match.QueueClass.HOUSE)
"""Classes for which no worker is added: house bots among themselves always find something to play, and of versions that
newer ones have overtaken none plays."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """What waits of one game and class."""

    game: str
    line: str
    """``Match.QueueClass`` of matches, ``BUILD`` or ``HOUSE_BUILD`` (``jobs.fairness``)."""
    title: str
    """Of the line, for people."""
    length: int
    oldest_seconds: float
    """How long the one that came first has waited."""


@dataclass(frozen=True, slots=True)
class ProcessTotals:
    """The playing processes of all workers that take work."""

    processes: int
    busy: int
    cores: int
    cores_busy: float
    """From the processor load that hosts report."""


def queue_rows() -> list[QueueRow]:
    """Return what waits, by game and class (2 queries, however many matches have been played)."""
    now = timezone.now()
    waiting = Match.objects.filter(state=Match.State.QUEUED).order_by()
    matches = waiting.values_list("game", "queue_class").annotate(Count("pk"), Min("created_at"))
    versions = BotVersion.objects.filter(state=BotVersion.State.UPLOADED).annotate(unawaited=builds_nobody_awaits())
    builds = versions.order_by().values_list("bot__game", "unawaited").annotate(Count("pk"), Min("created_at"))
    rows = [_row(game, line, Match.QueueClass(line).label, length, since, now) for game, line, length, since in matches]
    for game, unawaited, length, since in builds:
        line, title = (HOUSE_BUILD, _("builds nobody waits for")) if unawaited else (BUILD, _("builds"))
        rows.append(_row(game, line, title, length, since, now))
    return sorted(rows, key=lambda row: (row.game, row.line))


def _row(game: str, line: str, title: object, length: int, since: datetime, now: datetime) -> QueueRow:
    return QueueRow(game, line, str(title), length, max((now - since).total_seconds(), 0.0))


def matches_running() -> int:
    """Return how many matches are being played (1 query)."""
    return Match.objects.filter(state=Match.State.RUNNING).count()


def process_totals(*, workers: Sequence[Worker]) -> ProcessTotals:
    """Add up the workers that take work (no query)."""
    active = [worker for worker in workers if worker.state == Worker.State.ACTIVE]
    return ProcessTotals(
        processes=sum(worker.processes for worker in active),
        busy=sum(worker.busy for worker in active),
        cores=sum(worker.cores for worker in active),
        cores_busy=sum((worker.cpu_percent or 0.0) / 100 * worker.cores for worker in active),
    )


def jobs_running() -> int:
    """Return how many matches and builds are under way that somebody waits for (2 queries)."""
    matches = Match.objects.filter(state=Match.State.RUNNING).exclude(queue_class__in=_NOBODY_WAITS)
    builds = BotVersion.objects.filter(state=BotVersion.State.BUILDING).exclude(builds_nobody_awaits())
    return matches.count() + builds.count()


def processes_wanted(*, rows: Sequence[QueueRow], totals: ProcessTotals, running: int) -> int:
    """Return how many playing processes the arena should have now; for any orchestrator to act on.

    As many as bring the age of the queue to what is wanted, if age falls as processes grow (the rule by which
    Kubernetes' horizontal autoscaler works too: ``ceil(now * measured / wanted)``), at most ``GROWTH_MAX`` times what
    there is; not fewer than are busy; but never more than there are jobs, since a process plays one at a time and an
    old job may wait for something else than a process. Matches among house bots only are no reason to keep a process.

    Args:
        rows: what waits.
        totals: of the workers that take work.
        running: how many jobs are under way, house bots among themselves not counted.
    """
    if not totals.processes:
        return int(bool(rows))
    waiting = [row for row in rows if row.line not in _NOBODY_WAITS]
    jobs = running + sum(row.length for row in waiting)
    oldest = max((row.oldest_seconds for row in waiting), default=0.0)
    by_age = math.ceil(totals.processes * oldest / QUEUE_SECONDS_WANTED)
    return max(min(max(by_age, totals.busy), GROWTH_MAX * totals.processes, jobs), 1)
