"""The life of a leased job, which matches, tables, builds and tries have in common.

A job is queued and handed out by a message. The worker that takes it renews its lease, and it ends once: by the first
report with the token of its current attempt. When the platform fails, or the worker falls silent, the job is queued
again, for ``ATTEMPTS_MAX`` attempts in all. An attempt that a worker hands back does not count: the worker is in
quarantine, or lacks what others have.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from common.queries.sql import rows_update
from core.message import Message, stored
from jobs.celery_app import app
from jobs.coordination import listened_without_pause, missing_for, queue_length, reports_pile_up
from jobs.fairness import Job
from jobs.leases import (
    ATTEMPTS_MAX,
    ATTEMPTS_MEMORY_MAX,
    MISSING_SECONDS,
    PAUSE_SECONDS,
    LeasedT,
    leases_expired,
    leases_renew,
    messages_missing,
)
from jobs.selectors.workers import language_elsewhere, worker_is_quarantined
from jobs.sending import jobs_send
from jobs.services.heartbeats import heartbeats_handle, lease_end_announce
from wire.jobs import (
    MEMORY,
    QUEUES,
    BuildProgress,
    BuildReport,
    Heartbeat,
    MatchReport,
    TryProgress,
    TryReport,
    WireMessage,
)
from wire.own_queues import OWN_PREFIX

log = structlog.get_logger(__name__)

ProgressT = TypeVar("ProgressT", Heartbeat, BuildProgress, TryProgress)
ReportT = TypeVar("ReportT", MatchReport, BuildReport, TryReport)


class JobLife(ABC, Generic[LeasedT, ProgressT, ReportT]):
    """The life of the jobs of one kind; a subclass says what is theirs alone.

    The caller's transaction must have locked a row that it passes to a method. ``rows``, ``queued`` and ``running`` are
    there to be filtered: a queryset that is read itself keeps what it has read.
    """

    name: str
    """The kind in log lines, as ``build``."""
    row: str
    """What messages and log lines call a row: its key is ``version_id`` in a report if this is ``version``."""
    task: str
    """The workers' task."""
    given_up: str
    """The kind of the message that says why a job is given up."""
    classes: frozenset[str]
    """The queue classes, among those of ``jobs.fairness.SHARES``."""
    rows: QuerySet[LeasedT]
    """All rows of the kind."""
    queued: QuerySet[LeasedT]
    """The rows that wait for a worker."""
    running: QuerySet[LeasedT]
    """The rows on which workers work."""
    related: tuple[str, ...]
    """What ``messages`` needs of other tables, as for ``select_related``."""
    own: Q
    """The condition that rows meet which only the site's own hosts may take (``wire.own_queues``)."""

    # --- Handing out --------------------------------------------------------------------------------------------------

    def is_due(self, processes_count: Callable[[], int]) -> bool:
        """Return whether enough jobs wait to be worth locking the queue. Called often, so it must be cheap (1 query).

        ``processes_count`` counts the processes of the workers.
        """
        return self.queued.filter(notified_at=None).exists()

    @abstractmethod
    def in_flight(self) -> Iterable[tuple[Job, bool]]:
        """Return the jobs that wait or run and are not held back, each with whether its message has been sent."""

    @transaction.atomic(savepoint=False)
    def notify(self, pks: Sequence[int]) -> None:
        """Send the messages of queued rows, in this order, when the transaction is committed.

        Rows that do not wait for a worker any more are left out; for others it may be called again. When the broker
        cannot be reached, that is logged and not raised: the sweep sends the messages later.
        """
        rows = list(self.lock(self.queued.filter(pk__in=pks)))
        if not rows:  # they have been withdrawn, or workers have begun them after all
            return
        queued = self.queued.filter(pk__in=[row.pk for row in rows])
        queued.update(notified_at=timezone.now())
        own, jobs = set(queued.filter(self.own).values_list("pk", flat=True)), self.messages(rows)
        in_order = [pk for pk in pks if pk in jobs]

        def send() -> None:
            for is_own in (False, True):
                if some := [jobs[pk] for pk in in_order if (pk in own) is is_own]:
                    jobs_send(app, self.task, some, own=is_own)

        transaction.on_commit(send, robust=True)

    @abstractmethod
    def messages(self, rows: Sequence[LeasedT]) -> dict[int, WireMessage]:
        """Return the messages of queued rows, by key."""

    def lock(self, rows: QuerySet[LeasedT]) -> QuerySet[LeasedT]:
        """Return the rows in the order of their keys; who reads them locks them until the transaction ends.

        What is ``related`` to them is read along, and not locked.
        """
        return rows.select_for_update(no_key=True, of=("self",)).select_related(*self.related).order_by("pk")

    def locked(self, pk: int) -> LeasedT | None:
        """Lock and return the row with the key ``pk``; None if there is none."""
        return self.lock(self.rows.filter(pk=pk)).first()

    # --- What workers report ------------------------------------------------------------------------------------------

    @transaction.atomic
    def heartbeat(self, *, report: ProgressT) -> None:
        """Record that a worker works on a row, and renew its lease; without effect if the lease token is old.

        A row of a quarantined worker is queued again at once: such a worker may have restarted and not know yet that it
        is quarantined.
        """
        row = self._leased(report)
        if row is None:
            return
        if worker_is_quarantined(name=report.worker):
            self.take_back(row, report.worker)
        else:
            self.progressed(row, report)

    @abstractmethod
    def progressed(self, row: LeasedT, report: ProgressT) -> None:
        """Store what a worker says of its work on a row, and renew the lease."""

    @transaction.atomic
    def record(self, *, report: ReportT) -> LeasedT | None:
        """Record how an attempt ended. A job ends once, however many reports arrive.

        Returns:
            The row whose current attempt the report was about; None if it came too late.
        """
        row = self._leased(report)
        if row is None:
            return None
        if worker_is_quarantined(name=report.worker):
            self.take_back(row, report.worker)
        elif not self.hand_on(row, report):
            if fault := report.platform_fault or self.problem(row, report):
                self.attempt_failed(row, fault, report)
            else:
                self.end(row, report)
        return row

    def _leased(self, report: ProgressT | ReportT) -> LeasedT | None:
        """Lock and return the row whose current attempt a report is about, or return None: the report is late."""
        row = self.locked(getattr(report, f"{self.row}_id"))
        if row is not None and row.lease_holds(report.lease_token):
            return row
        self.late(report)
        return None

    def late(self, report: ProgressT | ReportT) -> None:
        """Log a report with an old lease token or of an unknown row, and tell its worker that the lease has ended."""
        log.info(f"{self.name}_report_late", **{self.row: getattr(report, f"{self.row}_id")})
        lease_end_announce(lease_token=report.lease_token)

    @abstractmethod
    def problem(self, row: LeasedT, report: ReportT) -> Message | None:
        """Return why a report cannot be true; None if it can."""

    @abstractmethod
    def end(self, row: LeasedT, report: ReportT) -> None:
        """Store the result in a report, and end the row."""

    # --- What goes wrong ----------------------------------------------------------------------------------------------

    def hand_on(self, row: LeasedT, report: ReportT) -> bool:
        """Queue a row again if another worker may have what the reporting one lacks, and return whether it may.

        An attempt that found no memory counts.
        """
        if report.lacks == MEMORY and row.attempt < ATTEMPTS_MEMORY_MAX:
            self.requeue(row, held=row.attempt >= ATTEMPTS_MAX - 1)
            return True
        if report.lacks and language_elsewhere(name=report.lacks, worker=report.worker):
            self.take_back(row, report.worker)
            return True
        return False

    def take_back(self, row: LeasedT, worker: str) -> None:
        """Queue a row again whose worker is in quarantine or lacks what it needs; the attempt does not count.

        The attack: a worker in quarantine goes on taking jobs, and would make every one of them fail.
        """
        log.warning(f"{self.name}_requeued", **{self.row: row.pk}, attempt=row.attempt, worker=worker)
        row.attempt -= 1
        rows_update([row], ["attempt"])
        self.requeue(row)

    def take_back_all(self, *, worker: str) -> int:
        """Take back all rows that a distrusted worker has, and return their number."""
        return sum(self._take_back(pk, worker) for pk in self.held_by(worker).values_list("pk", flat=True))

    @transaction.atomic
    def _take_back(self, pk: int, worker: str) -> bool:
        row = self.locked(pk)
        if row is None or not self.held_by(worker).filter(pk=pk).exists():  # it has ended, or another worker has it
            return False
        self.take_back(row, worker)
        return True

    def held_by(self, worker: str) -> QuerySet[LeasedT]:
        """Return the running rows that a worker has."""
        return self.running.filter(worker=worker)

    @transaction.atomic
    def lost(self, pk: int) -> None:
        """End the attempt of a row whose lease has run out; without effect if a heartbeat has come meanwhile."""
        row = self.locked(pk)
        if row is not None and row.lease_expired():
            self.attempt_failed(row, Message("worker-silent"))

    def attempt_failed(self, row: LeasedT, fault: Message, report: ReportT | None = None) -> None:
        """Queue a row again after a fault of the platform; give it up after ``ATTEMPTS_MAX`` of them.

        ``report`` is None if the worker has fallen silent.
        """
        log.warning(f"{self.name}_attempt_failed", **{self.row: row.pk}, attempt=row.attempt, reason=str(fault))
        failures = self.failures(row)
        if failures < ATTEMPTS_MAX:
            self.requeue(row, held=failures == ATTEMPTS_MAX - 1)
        else:
            self.give_up(row, Message(self.given_up, {"times": failures, "why": stored(fault)}))

    def failures(self, row: LeasedT) -> int:
        """Return how many attempts of a row have failed, the current one included."""
        return row.attempt

    @abstractmethod
    def requeue(self, row: LeasedT, *, held: bool = False) -> None:
        """Begin a new attempt of a row that waits or runs; if held, only after ``LAST_ATTEMPT_DELAY_SECONDS``."""

    @abstractmethod
    def give_up(self, row: LeasedT, reason: Message) -> None:
        """End a row that the platform could not bring to its end."""

    # --- Repair -------------------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """End the attempts of workers that have fallen silent, and send the messages that were lost once more.

        After a pause in listening (the broker, the database or this process was away) all leases are renewed instead:
        reports could not arrive, so every worker would look silent. The same is done while reports pile up: a worker
        that has ended a match sends no more heartbeats, and its result may wait for longer than a lease lasts.

        Raises:
            django.db.OperationalError: the database is away.
            redis.exceptions.ConnectionError: the broker could not be asked how many messages it holds.
        """
        heartbeats_handle()  # no lease runs out while its heartbeat waits to be read
        queue = QUEUES[self.task]
        with listened_without_pause(app, queue, pause_seconds=PAUSE_SECONDS) as without_pause:
            if not without_pause or reports_pile_up(app):
                leases_renew(self.running)
                return
            silent = leases_expired(self.running)
        for pk in silent:
            self.lost(pk)
        missing = messages_missing(self.queued.exclude(self.own), waiting=queue_length(app, queue))
        missing |= messages_missing(self.queued.filter(self.own), waiting=queue_length(app, f"{OWN_PREFIX}{queue}"))
        self.notify(sorted(missing_for(app, queue, missing, for_seconds=MISSING_SECONDS, within_seconds=PAUSE_SECONDS)))
