"""What waits, for how long, and how many processes would be right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min
from django.utils import timezone

import core
from ladder.models import BotVersion, Worker
from matches.models import Match

QUEUE_SECONDS_WANTED = 30
"""No match should wait longer for a worker: the aim of scaling."""
GROWTH_MAX = 2
"""At most so many times as many processes are asked for at once: the age of a queue tells of the past."""
BUILDS = "build"
"""The class of builds in a queue; those of matches are the kinds of matches."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """What waits of one game and class."""

    game: str
    kind: str
    """A kind of match, or ``BUILDS``."""
    title: str
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
    # All games by name, so that the index of games and states is used.
    waiting = Match.objects.filter(game__in=core.games(), state=Match.State.QUEUED).order_by()
    matches = waiting.values_list("game", "kind").annotate(Count("pk"), Min("created_at"))
    versions = BotVersion.objects.filter(state=BotVersion.State.UPLOADED).order_by()
    builds = versions.values_list("bot__game").annotate(Count("pk"), Min("created_at"))
    rows = [_row(game, kind, Match.Kind(kind).label, length, since, now) for game, kind, length, since in matches]
    rows += [_row(game, BUILDS, "builds", length, since, now) for game, length, since in builds]
    return sorted(rows, key=lambda row: (row.game, row.kind))


def _row(game: str, kind: str, title: object, length: int, since: datetime, now: datetime) -> QueueRow:
    return QueueRow(game, kind, str(title), length, max((now - since).total_seconds(), 0.0))


def matches_running() -> int:
    """Return how many matches are being played (1 query)."""
    return Match.objects.filter(game__in=core.games(), state=Match.State.RUNNING).count()


def process_totals(*, workers: Sequence[Worker]) -> ProcessTotals:
    """Add up the workers that take work (no query)."""
    active = [worker for worker in workers if worker.state == Worker.State.ACTIVE]
    return ProcessTotals(
        processes=sum(worker.processes for worker in active),
        busy=sum(worker.busy for worker in active),
        cores=sum(worker.cores for worker in active),
        cores_busy=sum((worker.cpu_percent or 0.0) / 100 * worker.cores for worker in active),
    )


def processes_wanted(*, rows: Sequence[QueueRow], totals: ProcessTotals) -> int:
    """Return how many playing processes the arena should have now; for any orchestrator to act on.

    As many as bring the age of the queue to what is wanted, if age falls as processes grow (the rule by which
    Kubernetes' horizontal autoscaler works too: ``ceil(now * measured / wanted)``), never fewer than are busy, never
    more than ``GROWTH_MAX`` times what there is, and one as soon as anything waits.

    Args:
        rows: what waits.
        totals: of the workers that take work.
    """
    if not totals.processes:
        return int(bool(rows))
    oldest = max((row.oldest_seconds for row in rows), default=0.0)
    by_age = math.ceil(totals.processes * oldest / QUEUE_SECONDS_WANTED)
    return max(totals.busy, min(by_age, GROWTH_MAX * totals.processes), 1)
