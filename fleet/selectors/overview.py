"""What the administrators' pages show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from accounts.models import AuditEntry
from core import __version__
from fleet.models import Host
from fleet.selectors.queue import ProcessTotals, QueueRow, matches_running, process_totals, queue_rows
from jobs.models import Worker
from jobs.selectors.workers import workers_all
from jobs.services.workers import SILENT_SECONDS
from matches.models import Attempt

RATE_SECONDS = 120
"""Matches a minute are counted over this long: long enough for a slow game, short enough to show a change."""
AUDIT_PAGE_ROWS = 50
WORKERS_PAGE_ROWS = 20
"""The page is asked for every few seconds."""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """One worker."""

    worker: Worker
    matches_a_minute: float
    handed_back: int
    """Matches that have lately gone from it to others, as a rule for want of a language or of the game's rules."""
    handed_back_for: str
    """Why one of them did, a sentence; empty if there is none."""

    @property
    def is_silent(self) -> bool:
        """Whether it has not been heard of for so long that it would be gone, were there a manager to say so."""
        return self.worker.last_seen_at < timezone.now() - timedelta(seconds=SILENT_SECONDS)

    @property
    def is_other_release(self) -> bool:
        """Whether it is of another release than the site."""
        return self.worker.version != __version__

    @property
    def more(self) -> int | None:
        """How many processes one more would be; None when it has no core left for it."""
        wanted = self.worker.processes_wanted or self.worker.processes
        return wanted + 1 if wanted < self.worker.cores else None

    @property
    def fewer(self) -> int | None:
        """How many processes one less would be; None when there is but one: to stop it, drain it."""
        wanted = self.worker.processes_wanted or self.worker.processes
        return wanted - 1 if wanted > 1 else None


@dataclass(frozen=True, slots=True)
class Overview:
    """The whole fleet at one moment."""

    workers: list[WorkerRow]
    queue: list[QueueRow]
    totals: ProcessTotals
    running: int
    matches_a_minute: float
    wait_seconds: float | None
    """How long what is queued now will wait, from what is played; None while nothing is, or nobody takes work."""


def overview() -> Overview:
    """Return the fleet (6 queries, however many workers and matches there are)."""
    workers = list(workers_all())
    rates = _rates()
    back = _handed_back()
    queue = queue_rows()
    total = sum(rates.values())
    waiting = sum(row.length for row in queue)
    totals = process_totals(workers=workers)
    return Overview(
        workers=[WorkerRow(w, rates.get(w.name, 0.0), *back.get(w.name, (0, ""))) for w in workers],
        queue=queue,
        totals=totals,
        running=matches_running(),
        matches_a_minute=total,
        wait_seconds=60 * waiting / total if total and totals.processes else None,
    )


def workers_page(*, fleet: Overview, number: str | None) -> Page[WorkerRow]:
    """Return a page of the fleet's workers (no query); a senseless number gives the nearest page."""
    return Paginator(fleet.workers, WORKERS_PAGE_ROWS).get_page(number)


def _rates() -> dict[str, float]:
    """Return the matches a minute by worker, of those that have reported lately."""
    counts = _ended_lately(Attempt.Ending.RESULT).values_list("worker").annotate(Count("pk"))
    return {worker: count * 60 / RATE_SECONDS for worker, count in counts}


def _handed_back() -> dict[str, tuple[int, str]]:
    """Return how many matches were lately handed to others, and why, by the worker that had them."""
    withdrawn = _ended_lately(Attempt.Ending.WITHDRAWN).exclude(reason="")  # without one, administrators took them out
    counts = withdrawn.values_list("worker").annotate(Count("pk"), Max("reason"))
    return {worker: (count, reason) for worker, count, reason in counts}


def _ended_lately(ending: Attempt.Ending) -> QuerySet[Attempt]:
    since = timezone.now() - timedelta(seconds=RATE_SECONDS)
    return Attempt.objects.filter(ended_at__gte=since, ending=ending).order_by()


def hosts_all() -> list[Host]:
    """Return all hosts by name (1 query)."""
    return list(Host.objects.all())


def host_by_id(*, pk: int) -> Host | None:
    """Return a host, or None (1 query)."""
    return Host.objects.filter(pk=pk).first()


def audit_entries() -> QuerySet[AuditEntry]:
    """Return what administrators did, newest first."""
    return AuditEntry.objects.all()


def audit_page(*, number: str | None) -> Page[AuditEntry]:
    """Return a page of what administrators did, newest first (2 queries); a senseless number gives the nearest page."""
    return Paginator(audit_entries(), AUDIT_PAGE_ROWS).get_page(number)
