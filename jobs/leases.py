"""The lease of a job: which worker attempt counts, and until when. The base of builds and matches."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import models, transaction
from django.utils import timezone

from wire.jobs import HEARTBEAT_SECONDS, LEASE_SECONDS
from wire.transport import JOB_EXPIRES_SECONDS, JOB_SECONDS_MAX

ATTEMPTS_MAX = 3
"""Number of attempts, failed by the platform, after which a job is given up; its page says so."""
ATTEMPTS_MEMORY_MAX = 10
"""Number of attempts after which builds and tries are given up whose matches found no memory: other matches end, and
another worker may have more. A match between bots waits for far longer, since nobody waits for it alone."""
LAST_ATTEMPT_DELAY_SECONDS = 60
"""How long the last attempt is held back. What has failed twice within seconds (a machine that is overloaded, an engine
that restarts) is often over by then. The second attempt starts at once, since another worker may be well, with one
exception: the first was played to its end and a bot waited for a core. That worker is well, and would mostly take the
match again. A job whose rules no worker knows, or for which none has memory, is held back by this delay after each
attempt: without it, workers would take and refuse it all the time, and play nothing else."""
JOB_LIFE_SECONDS_MAX = JOB_EXPIRES_SECONDS + JOB_SECONDS_MAX
"""How long after its message was sent a job ends at the latest: the time that a message may wait, plus the time that
the work may take."""
NOTIFY_AGAIN_SECONDS = LEASE_SECONDS / 2
"""How old a message must be at least, before its absence from the broker's queue may mean that it is lost."""
MISSING_SECONDS = HEARTBEAT_SECONDS
"""A message absent for this time is sent again: a worker that had taken it would have reported meanwhile."""
PAUSE_SECONDS = LEASE_SECONDS / 2
"""When the site has not listened to reports for this time, a worker's silence since then means nothing."""


def token_new() -> str:
    """Return a new lease token, 32 hexadecimal digits."""
    return uuid.uuid4().hex


LeasedT = TypeVar("LeasedT", bound="Leased")


class Leased(models.Model):
    """A row that workers work on. The token names the current attempt; a report with any other token is ignored."""

    attempt = models.PositiveSmallIntegerField(default=0)
    """Number of attempts handed out so far."""
    lease_token = models.CharField(max_length=32, default="", blank=True)
    """Empty when nobody works on the row."""
    lease_ends_at = models.DateTimeField(null=True, blank=True)
    """When the sweep ends the attempt unless the worker reports before; null while the row waits in the queue."""
    notified_at = models.DateTimeField(null=True, blank=True)
    """When the row's message was last sent to the broker; null while it is queued and has not been handed out."""

    held_until = models.DateTimeField(null=True, blank=True)
    """Before that time the row is not handed out (``LAST_ATTEMPT_DELAY_SECONDS``); null: it is not held back."""

    class Meta:
        abstract = True

    def lease_holds(self, token: str) -> bool:
        """Return whether a report with this token still counts."""
        return bool(token) and token == self.lease_token

    def lease_renew(self) -> None:
        """Extend the lease, counted from now (in memory; the caller saves).

        The end is never later than ``life_seconds_max`` after the message was sent. The attack this stops: a worker
        takes a job, reports that it is alive and never ends it, so that the match is never played or the version never
        built.
        """
        ends_at = timezone.now() + timedelta(seconds=LEASE_SECONDS)
        over_at = self.notified_at + timedelta(seconds=self.life_seconds_max) if self.notified_at else ends_at
        self.lease_ends_at = min(ends_at, over_at)

    @property
    def life_seconds_max(self) -> int:
        """How long after its message was sent the job ends at the latest."""
        return JOB_LIFE_SECONDS_MAX

    def lease_begin(self, *, held: bool = False) -> None:
        """Begin a new attempt, which waits for a worker (in memory; the caller saves).

        If ``held``, the row is handed out only after ``LAST_ATTEMPT_DELAY_SECONDS``.
        """
        self.attempt += 1
        self.lease_token = token_new()
        self.lease_ends_at = None
        self.notified_at = None
        self.held_until = timezone.now() + timedelta(seconds=LAST_ATTEMPT_DELAY_SECONDS) if held else None

    @property
    def waits_until(self) -> datetime | None:
        """The time before which the row is not handed out, for pages; None when it is not held back now."""
        after, until = held_times()
        return self.held_until if self.held_until and after < self.held_until <= until else None

    def lease_expired(self) -> bool:
        """Return whether the worker of the current attempt has been silent for too long."""
        return self.lease_ends_at is not None and self.lease_ends_at < timezone.now()

    def lease_drop(self) -> None:
        """Revoke the lease: reports with its token are ignored from now on (in memory; the caller saves)."""
        self.lease_token = ""
        self.lease_ends_at = None


def held_times() -> tuple[datetime, datetime]:
    """Return the range of ``held_until``, its start excluded, in which a row is held back now.

    A later ``held_until`` was written before the clock was set back, and holds nothing back.
    """
    now = timezone.now()
    return now, now + timedelta(seconds=LAST_ATTEMPT_DELAY_SECONDS)


def leases_renew(running: models.QuerySet[LeasedT]) -> None:
    """Give every running row a whole new lease, after a time in which no report could arrive."""
    with transaction.atomic():
        # In the order of their keys: another transaction that locks some of the rows in this order causes no deadlock.
        pks = list(running.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
        running.filter(pk__in=pks).update(lease_ends_at=timezone.now() + timedelta(seconds=LEASE_SECONDS))


def leases_expired(running: models.QuerySet[LeasedT]) -> list[int]:
    """Return the keys of the rows whose lease has run out without a report."""
    return list(running.filter(lease_ends_at__lt=timezone.now()).values_list("pk", flat=True))


def messages_missing(queued: models.QuerySet[LeasedT], *, waiting: int) -> set[int]:
    """Return the keys of the queued rows whose message seems to be missing: lost, dropped, or just taken by a worker.

    Workers take messages in the order in which they were sent. So when the broker holds fewer messages than there are
    queued rows, the rows whose messages were sent first have none. A worker reports within a second what it works on:
    a row that is still missing at the next sweep has lost its message. To send a message once too often is harmless: a
    job that is done twice counts once. ``waiting`` messages are in the broker's queue of these rows.
    """
    now = timezone.now()
    queued = queued.filter(notified_at__isnull=False)
    missing = max(queued.count() - waiting, 0)
    oldest = queued.order_by("notified_at").values_list("pk", "notified_at")[:missing]
    # A time in the future was written before the clock was set back: it counts as old, too.
    late = timedelta(seconds=NOTIFY_AGAIN_SECONDS)
    lost = {pk for pk, notified_at in oldest if notified_at and abs(now - notified_at) > late}
    expired = queued.filter(notified_at__lt=now - timedelta(seconds=JOB_EXPIRES_SECONDS)).values_list("pk", flat=True)
    return lost.union(expired)
