"""The lease: who works on a job now, and until when the site believes it. Shared by builds and matches."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db import models
from django.utils import timezone

from workers.jobs import LEASE_SECONDS

ATTEMPTS_MAX = 3
"""After so many attempts that ended by the platform's fault the job is given up, visibly."""


def token_new() -> str:
    """Return a new lease token, 32 hexadecimal digits."""
    return uuid.uuid4().hex


class Leased(models.Model):
    """A row that workers work on. The token names the current attempt; a report with another token counts no more."""

    attempt = models.PositiveSmallIntegerField(default=0)
    """Attempts handed out so far."""
    lease_token = models.CharField(max_length=32, default="", blank=True)
    """Empty when nobody works on it."""
    lease_ends_at = models.DateTimeField(null=True, blank=True)
    """When the sweeper takes it back if no sign of life came; null while it waits in the queue."""
    rung_at = models.DateTimeField(null=True, blank=True)
    """When its message was last sent to the broker."""

    class Meta:
        abstract = True

    def lease_holds(self, token: str) -> bool:
        """Say whether a report with this token still counts."""
        return bool(token) and token == self.lease_token

    def lease_renew(self) -> None:
        """Move the end of the lease away from now (in memory; the caller saves)."""
        self.lease_ends_at = timezone.now() + timedelta(seconds=LEASE_SECONDS)

    def lease_drop(self) -> None:
        """Take the lease back: whatever still comes with the old token is late (in memory; the caller saves)."""
        self.lease_token = ""
        self.lease_ends_at = None
