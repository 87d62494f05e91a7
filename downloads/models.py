"""The files of a day."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from contests.models import Contest

REPLAYS_DAYS = 30
"""How many days the tar of a day's replays stays: it takes as much disk space as the replays themselves."""


class DayFiles(models.Model):
    """The files of one day (UTC) of a contest: the results of its rated matches, and their replays. Never changed."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    """The day on which the matches ended."""
    matches = models.PositiveIntegerField()
    results_digest = models.CharField(max_length=64)
    """SHA-256 of the file of results (JSON lines in zstd), which stays as long as the contest."""
    results_bytes = models.PositiveBigIntegerField()
    replays = models.PositiveIntegerField()
    """How many replays are in the tar: those that were stored when it was made."""
    replays_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of the tar of replays; empty: deleted after ``REPLAYS_DAYS``, or none was made."""
    replays_bytes = models.PositiveBigIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "files of days"
        constraints = [models.UniqueConstraint(fields=["contest", "day"], name="day_files_once")]
        indexes = [
            models.Index(fields=["-day"], name="day_files_newest"),
            models.Index(fields=["day"], condition=~models.Q(replays_digest=""), name="day_files_with_replays"),
        ]
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.contest_id} {self.day}"
