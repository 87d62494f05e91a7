"""The lease: who works on a job now, and until when the site believes it. Shared by builds and matches."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import models, transaction
from django.utils import timezone

from wire.jobs import HEARTBEAT_SECONDS, LEASE_SECONDS
from wire.transport import JOB_EXPIRES_SECONDS, JOB_SECONDS_MAX

ATTEMPTS_MAX = 3
"""After so many attempts that ended by the platform's fault the job is given up, visibly."""
LAST_AFTER_SECONDS = 60
"""The last attempt waits so long: what has failed us twice within seconds (a machine that is overloaded, an engine that
starts anew) is often over by then. The second does not wait, since another worker may be well, unless the first was
played to its end and a bot waited for a core: that worker is well, and would mostly take the match again. What workers
lack the rules for waits as long each time: going round without a pause it would keep them from all that they can
play."""
HELD_SECONDS_MAX = JOB_EXPIRES_SECONDS + JOB_SECONDS_MAX
"""So long after its message was sent a job is over: as long as a message may wait, and its work may take."""
NOTIFY_AGAIN_SECONDS = LEASE_SECONDS / 2
"""So long after a message was sent its absence from the broker's queue begins to look like a loss."""

MISSING_SECONDS = HEARTBEAT_SECONDS
"""So long it must have been absent to be sent again: whoever had taken it would have given a sign of life by then."""

PAUSE_SECONDS = LEASE_SECONDS / 2
"""When the site has not listened for so long, nobody's silence since then means anything."""


def token_new() -> str:
    """Return a new lease token, 32 hexadecimal digits."""
    return uuid.uuid4().hex


LeasedT = TypeVar("LeasedT", bound="Leased")


class Leased(models.Model):
    """A row that workers work on. The token names the current attempt; a report with another token counts no more."""

    attempt = models.PositiveSmallIntegerField(default=0)
    """Attempts handed out so far."""
    lease_token = models.CharField(max_length=32, default="", blank=True)
    """Empty when nobody works on it."""
    lease_ends_at = models.DateTimeField(null=True, blank=True)
    """When the sweeper takes it back if no sign of life came; null while it waits in the queue."""
    notified_at = models.DateTimeField(null=True, blank=True)
    """When its message was last sent to the broker; null while it stands in the queue and no worker may take it yet."""

    held_until = models.DateTimeField(null=True, blank=True)
    """Before that it is not handed out, see ``LAST_AFTER_SECONDS``; null: as soon as it is its turn."""

    class Meta:
        abstract = True

    def lease_holds(self, token: str) -> bool:
        """Say whether a report with this token still counts."""
        return bool(token) and token == self.lease_token

    def lease_renew(self) -> None:
        """Move the end of the lease away from now (in memory; the caller saves).

        But not for ever. The attack this stops: a worker takes a job, gives signs of life, and never ends it, so that a
        match is never played, a version never built.
        """
        ends_at = timezone.now() + timedelta(seconds=LEASE_SECONDS)
        over_at = self.notified_at + timedelta(seconds=HELD_SECONDS_MAX) if self.notified_at else ends_at
        self.lease_ends_at = min(ends_at, over_at)

    def lease_begin(self, *, held: bool = False) -> None:
        """Begin a new attempt, waiting for a worker (in memory; the caller saves).

        Args:
            held: whether it is handed out only after ``LAST_AFTER_SECONDS``.
        """
        self.attempt += 1
        self.lease_token = token_new()
        self.lease_ends_at = None
        self.notified_at = None
        self.held_until = timezone.now() + timedelta(seconds=LAST_AFTER_SECONDS) if held else None

    @property
    def waits_until(self) -> datetime | None:
        """When it may be handed out, for pages; None where that depends on its turn alone."""
        after, until = held_times()
        return self.held_until if self.held_until and after < self.held_until <= until else None

    def lease_expired(self) -> bool:
        """Say whether whoever works on it has been silent for too long."""
        return self.lease_ends_at is not None and self.lease_ends_at < timezone.now()

    def lease_drop(self) -> None:
        """Take the lease back: whatever still comes with the old token is late (in memory; the caller saves)."""
        self.lease_token = ""
        self.lease_ends_at = None


def held_times() -> tuple[datetime, datetime]:
    """Return after when, and up to when, a row's ``held_until`` keeps it from being handed out now.

    What is later than it can be is from before the clock was set back, and keeps nobody.
    """
    now = timezone.now()
    return now, now + timedelta(seconds=LAST_AFTER_SECONDS)


def leases_renew(running: models.QuerySet[LeasedT]) -> None:
    """Give every running row a whole new lease: for after a time in which no sign of life could reach us."""
    with transaction.atomic():
        # In the order of their numbers, so that somebody who locks some of them does not wait for us and we for him.
        pks = list(running.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
        running.filter(pk__in=pks).update(lease_ends_at=timezone.now() + timedelta(seconds=LEASE_SECONDS))


def leases_expired(running: models.QuerySet[LeasedT]) -> list[int]:
    """Return the keys of the rows whose worker has given no sign of life until its lease ran out."""
    return list(running.filter(lease_ends_at__lt=timezone.now()).values_list("pk", flat=True))


def messages_missing(queued: models.QuerySet[LeasedT], *, waiting: int) -> set[int]:
    """Return the keys of the queued rows whose message seems to be missing: lost, dropped, or just taken by a worker.

    Messages are taken in the order they were sent. So when fewer of them wait in the broker than rows wait here, it
    is the rows rung first that have none. A worker says within a second what it works on: what is still missing
    at the next sweep is lost. Ringing one too many is harmless: a job done twice counts once.

    Args:
        queued: the rows that wait for a worker.
        waiting: how many messages wait in their queue.
    """
    now = timezone.now()
    queued = queued.filter(notified_at__isnull=False)
    missing = max(queued.count() - waiting, 0)
    notified_before = queued.order_by("notified_at").values_list("pk", "notified_at")[:missing]
    # Both ways: a time that is to come is one from before the clock was set back.
    lost = {
        pk
        for pk, notified_at in notified_before
        if notified_at and abs(now - notified_at) > timedelta(seconds=NOTIFY_AGAIN_SECONDS)
    }
    expired = queued.filter(notified_at__lt=now - timedelta(seconds=JOB_EXPIRES_SECONDS)).values_list("pk", flat=True)
    return lost.union(expired)
