"""What boards are made with: the tallies of bots against each other, and a lock of each contest."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from contests.models import Contest
from ladder.models import Bot


class HeadToHead(models.Model):
    """The tally of a bot against another over all their rated matches; each of the two has a row.

    ``matches.services.tallies`` updates it: counting the matches of a house bot for each page would take too long.
    In a match of more than two, each pair counts by itself: the bot with the better rank has won.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="heads")
    opponent = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "opponent"], name="head_to_head_unique"),
            models.CheckConstraint(
                condition=Q(games=models.F("wins") + models.F("draws") + models.F("losses")),
                name="head_to_head_adds_up",
            ),
        ]
        indexes = [models.Index(fields=["bot", "-games", "opponent"], name="head_to_head_by_games")]

    def __str__(self) -> str:
        return f"{self.bot} against {self.opponent}"


class BoardLock(models.Model):
    """One row a contest, locked while a process pairs its matches or writes its ratings: no two do so at once."""

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, related_name="+")
    rating_watermark = models.CharField(max_length=64, default="", blank=True)
    """Digest of the results, versions and anchors of the last fit: the same digest means the same ratings."""
    signed_watermark = models.CharField(max_length=64, default="", blank=True)
    """The watermark of the final board that was signed last, if the contest has one (``Contest.board_digest``)."""

    def __str__(self) -> str:
        return f"lock of {self.contest_id}"
