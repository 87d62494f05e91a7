"""The ratings of the last fit, and the histories of ratings: of each version, and of each bot day by day."""

from __future__ import annotations

from django.db import models
from django.db.models import Case, F, Q, When

from contests.models import Contest
from ladder.models.bots import Bot, BotVersion

BELOW_ALL = 1_000_000.0
"""Elo points: more than any two ratings of a board differ."""


class Rating(models.Model):
    """The rating of a version from the last fit (package ``rating``); it can be computed again from all results."""

    version = models.OneToOneField(BotVersion, on_delete=models.CASCADE, related_name="rating")
    rating = models.FloatField()
    """Elo points."""
    standard_error = models.FloatField()
    games = models.PositiveIntegerField()
    """Rated matches of this version."""
    last_match_at = models.DateTimeField(null=True, blank=True)
    fitted_at = models.DateTimeField()
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="+", db_index=False)
    """The contest of the bot, copied here so that one index serves a page of a board."""
    listed = models.BooleanField(default=False)
    """Whether the version was on the board at the time of the fit."""
    rank = models.PositiveIntegerField(null=True, blank=True)
    """Rank from 1 among the listed versions of its contest that have played; null for all others."""
    rank_best = models.PositiveIntegerField(null=True, blank=True)
    """1 + the number of versions whose whole interval lies above this one's; null without a rank."""
    rank_worst = models.PositiveIntegerField(null=True, blank=True)
    """The lowest rank minus the number of versions whose whole interval lies below; null without a rank."""
    board_rating = models.GeneratedField(
        expression=Case(When(games=0, then=F("rating") - BELOW_ALL), default=F("rating")),
        output_field=models.FloatField(),
        db_persist=True,
    )
    """What boards are sorted by: the rating, lowered by ``BELOW_ALL`` for a version without a rated match, so that such
    versions stand at the end. One column lets one index serve a page of a board."""

    class Meta:
        indexes = [
            models.Index(
                fields=["contest", "-board_rating", "version"], condition=Q(listed=True), name="rating_by_board_rating"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.rating:.0f}"


class RatingPoint(models.Model):
    """A point in the rating history of a version: written by each fit that has new matches of it, and by its first fit.

    Graphs show the points with ``games > 0``. The point with 0 games holds the rating before the first match.
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


class DailyRating(models.Model):
    """The rating of a bot at the beginning of a day, or when it was first rated on that day.

    Boards draw the last month from it: ``RatingPoint`` has up to a thousand rows a day for each bot.
    ``ladder.services.daily_ratings`` writes and deletes the rows.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="daily_ratings", db_index=False)
    day = models.DateField()
    """In UTC."""
    rating = models.IntegerField()
    """Elo points."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "day"], name="daily_rating_once")]

    def __str__(self) -> str:
        return f"{self.bot} on {self.day}: {self.rating}"
