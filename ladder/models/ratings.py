"""Ratings as the last fit left them, and how they came about."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ladder.models.bots import BotVersion


class Rating(models.Model):
    """A cached row of the last fit (see ``rating``): the truth is the set of results."""

    version = models.OneToOneField(BotVersion, on_delete=models.CASCADE, related_name="rating")
    rating = models.FloatField()
    """Elo points."""
    standard_error = models.FloatField()
    games = models.PositiveIntegerField()
    """Rated matches of this version."""
    last_match_at = models.DateTimeField(null=True, blank=True)
    fitted_at = models.DateTimeField()
    game = models.CharField(max_length=40, default="", editable=False)
    """The bot's, so that one index finds a page of a board."""
    listed = models.BooleanField(default=False)
    """Whether its version played at the time of the fit."""
    rank = models.PositiveIntegerField(null=True, blank=True)
    """From 1 among the listed of its game that have played enough matches; null for all others."""
    rank_best = models.PositiveIntegerField(null=True, blank=True)
    """One more than those whose interval lies wholly above its own; null without a rank."""
    rank_worst = models.PositiveIntegerField(null=True, blank=True)
    """The last rank but those whose interval lies wholly below its own; null without a rank."""

    class Meta:
        indexes = [
            models.Index(fields=["game", "-rating", "version"], condition=Q(listed=True), name="rating_listed"),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.rating:.0f}"


class RatingPoint(models.Model):
    """A version's rating as a fit left it that had seen new matches of it, or the version for the first time.

    Graphs are made of those with matches; the one without tells what a version was rated before its first.
    """

    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="rating_points")
    games = models.PositiveIntegerField()
    rating = models.FloatField()
    standard_error = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "games"], name="rating_point_unique")]
        indexes = [models.Index(fields=["version", "at"], name="rating_point_by_time")]
        ordering = ["version", "games"]

    def __str__(self) -> str:
        return f"{self.version} after {self.games}: {self.rating:.0f}"
