"""What an exhibition has besides its match (``matches.models.Match``) and seats (``Seat`` and ``RemoteSeat``)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from matches.models import Match


class Exhibition(models.Model):
    """How a table was opened: in real time or not, and from which turn of which match it goes on, if from any."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="exhibition")
    real_time = models.JSONField(null=True, blank=True)
    """The times of its turns, if it is played in real time (``wire.jobs.RealTime``); null: turns wait for all seats."""
    original = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The match in which a seat was taken over; null if it begins at the first turn, or that match was deleted."""
    original_turn = models.PositiveIntegerField(default=0)
    """The turn of the original from which on it is played anew; 0: it begins at the first turn."""

    played = models.JSONField(default=list, blank=True)
    """The answers by seat of each turn of the original before ``original_turn``; [] if it begins at the first turn."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(original__isnull=True) | Q(original_turn__gte=1), name="exhibition_original_has_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"exhibition of match {self.match_id}"
