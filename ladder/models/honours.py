"""The honours that bots won in contests that are over."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from contests.models import Contest
from ladder.models.bots import Bot


class Honour(models.Model):
    """One of the first places of a signed final board, counted among the bots of people alone.

    ``ladder.services.honours`` writes the rows in the transaction of each signature.
    """

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="honours", db_index=False)
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="honours")
    place = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "place"], name="honour_place_once_in_contest"),
            models.CheckConstraint(condition=Q(place__gte=1), name="honour_place_from_one"),
        ]
        ordering = ["contest", "place"]

    def __str__(self) -> str:
        return f"place {self.place} of {self.contest_id}: {self.bot}"
