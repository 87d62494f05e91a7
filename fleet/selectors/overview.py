"""Queries for the fleet page: workers, and the queue at one moment."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from common.words.messages import sentence_of
from core import __version__
from fleet.selectors.queue import (
    InFlight,
    ProcessTotals,
    QueueRow,
    matches_in_flight,
    process_totals,
    queue_rows,
    tables_total,
)
from jobs.models import Worker
from jobs.selectors.workers import workers_all
from jobs.services.workers import SILENT_SECONDS
from matches.models import Attempt
from wire.jobs import GAME_FAILED

RATE_SECONDS = 120
"""Span over which matches a minute are counted: long enough for a slow game, short enough to show a change."""
FAILURE_SECONDS = 3600
"""For how long the page names a game whose rules have failed in a match."""
FAILURES_MAX = 20
WORKERS_PAGE_ROWS = 20
"""Number of workers on a page of the fleet: few, because browsers reload the page every few seconds."""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker on the fleet page."""

    worker: Worker
    matches_a_minute: float
    handed_back: int
    """How many matches it has returned unplayed lately, mostly because it lacks a language, rules or memory."""
    handed_back_for: str
    """A sentence on why it returned one of them; empty if it returned none."""

    @property
    def is_silent(self) -> bool:
        """Whether its last heartbeat is so old that a manager would set its state to "gone"."""
        return self.worker.last_seen_at < timezone.now() - timedelta(seconds=SILENT_SECONDS)

    @property
    def release(self) -> Literal["", "earlier", "later"]:
        """Whether the worker is of an earlier or a later release than the site; empty: of the same."""
        if self.worker.version == __version__:
            return ""
        return "later" if _release_key(self.worker.version) > _release_key(__version__) else "earlier"

    @property
    def more(self) -> int | None:
        """The wanted number of processes plus 1; None when every core has a process, and for workers of tables."""
        if self.worker.tables:
            return None
        wanted = self.worker.processes_wanted or self.worker.processes
        return wanted + 1 if wanted < self.worker.cores else None

    @property
    def fewer(self) -> int | None:
        """The wanted number of processes minus 1; None at 1: a worker is stopped by draining, not by scaling to 0."""
        wanted = self.worker.processes_wanted or self.worker.processes
        return wanted - 1 if wanted > 1 else None


@dataclass(frozen=True, slots=True)
class Overview:
    """All workers and the queue at one moment."""

    workers: list[WorkerRow]
    queue: list[QueueRow]
    totals: ProcessTotals
    tables: int
    """How many tables the workers hold."""
    in_flight: InFlight
    matches_a_minute: float
    wait_seconds: float | None
    """How long the last queued job will wait at the present rate; None if the rate is 0 or no worker takes work."""


def _release_key(version: str) -> tuple[list[int], bool]:
    """Return a key by which versions are sorted by their numbers, a development version before its release."""
    release, _, development = version.partition(".dev")
    return [int(number) for number in re.findall(r"[0-9]+", release)], not development


def overview() -> Overview:
    """Return all workers, the queue and the tables (7 queries, however many workers and matches there are)."""
    workers = list(workers_all())
    played = _ended_lately(Attempt.Ending.RESULT).values_list("worker").annotate(Count("pk"))
    rates = {worker: count * 60 / RATE_SECONDS for worker, count in played}
    back = _handed_back()
    queue = queue_rows()
    total = sum(rates.values())
    waiting = sum(row.length for row in queue)
    totals = process_totals(workers=workers)
    return Overview(
        workers=[WorkerRow(w, rates.get(w.name, 0.0), *back.get(w.name, (0, ""))) for w in workers],
        queue=queue,
        totals=totals,
        tables=tables_total(workers=workers),
        in_flight=matches_in_flight(),
        matches_a_minute=total,
        wait_seconds=60 * waiting / total if total and totals.processes else None,
    )


def workers_page(*, fleet: Overview, number: str | None) -> Page[WorkerRow]:
    """Return a page of the fleet's workers (no query); the nearest page for a number that does not exist."""
    return Paginator(fleet.workers, WORKERS_PAGE_ROWS).get_page(number)


def games_failing() -> list[str]:
    """Return sentences on games whose rules have failed in matches lately, without repetition (1 query)."""
    failed = _ended_lately(Attempt.Ending.PLATFORM_FAULT, FAILURE_SECONDS).filter(reason__kind=GAME_FAILED)
    reasons = failed.order_by("-pk").values_list("reason", flat=True)[:FAILURES_MAX]
    return list(dict.fromkeys(map(sentence_of, reasons)))


def _handed_back() -> dict[str, tuple[int, str]]:
    """Return, by worker, how many matches it lately returned unplayed, and the reason of the newest (2 queries)."""
    # An attempt without a reason ended because an administrator voided the match.
    withdrawn = _ended_lately(Attempt.Ending.WITHDRAWN).exclude(reason={})
    counts = withdrawn.values_list("worker").annotate(Count("pk"), Max("pk"))
    newest = Attempt.objects.in_bulk([pk for _worker, _count, pk in counts])
    return {worker: (count, sentence_of(newest[pk].reason)) for worker, count, pk in counts}


def _ended_lately(ending: Attempt.Ending, seconds: int = RATE_SECONDS) -> QuerySet[Attempt]:
    """Return the attempts that ended with ``ending`` within the last ``seconds``."""
    since = timezone.now() - timedelta(seconds=seconds)
    return Attempt.objects.filter(ended_at__gte=since, ending=ending).order_by()
