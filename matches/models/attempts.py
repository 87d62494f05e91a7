"""Attempts to have matches played, and results."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from matches.models.matches import Match


class Attempt(models.Model):
    """One try to have a match played by a worker."""

    class Ending(models.TextChoices):
        """How an attempt ended."""

        RESULT = "result", _("played")
        """Its result has become the match's result."""
        PLATFORM_FAULT = "platform_fault", _("our fault")
        """The worker reported that the platform failed, or its report cannot be true."""
        LOST = "lost", _("worker lost")
        """No heartbeat came until the lease ran out."""
        LATE = "late", _("too late")
        """The worker reported after the lease had run out; the report counts nowhere."""
        WITHDRAWN = "withdrawn", _("taken back")
        """The match was requeued without a fault (worker quarantined or lacking something, new rules), or became
        void."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    lease_token = models.CharField(max_length=32, unique=True)
    worker = models.CharField(max_length=100, default="", blank=True)
    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=20, choices=Ending.choices, default="", blank=True)
    """How the attempt ended; empty while it runs."""
    reason = models.JSONField(default=dict, blank=True)
    """Why it ended so: a message (``core.message``); empty if the ending says it all."""

    class Meta:
        indexes = [models.Index(fields=["ended_at"], name="attempt_by_end")]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="attempt_number_unique_in_match")]
        ordering = ["match", "number"]

    def __str__(self) -> str:
        return f"attempt {self.number} of match {self.match_id}"


class Result(models.Model):
    """The one result of a match: the one-to-one relation makes the database refuse a second."""

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="result")
    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="result")
    turns = models.PositiveIntegerField()
    replay_digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the stored replay; empty once the rule of an archived contest has deleted it, with the log."""
    log_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the turn log (``wire.turnlog``), of which owners see their own seats alone; empty without one."""
    recorded_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"result of match {self.match_id}"
