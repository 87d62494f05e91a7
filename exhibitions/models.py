"""What an exhibition has besides its match (``matches.models.Match``) and seats (``Seat`` and ``RemoteSeat``)."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from accounts.models import User
from matches.models import Match


class Exhibition(models.Model):
    """How a table was opened."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="exhibition")
    real_time = models.JSONField(null=True, blank=True)
    """Its times (``wire.jobs.RealTime``); null: a turn lasts until all seats have answered."""
    original = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The match in which a seat was taken over; null if it begins at the first turn, or that match was deleted."""
    original_turn = models.PositiveIntegerField(default=0)
    """The turn of the original from which on it is played anew; 0: it begins at the first turn."""

    played = models.JSONField(default=list, blank=True)
    """The answers by seat of the original's turns before that one; [] if it begins at the first turn."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(original__isnull=True) | Q(original_turn__gte=1), name="exhibition_original_has_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"exhibition of match {self.match_id}"


class KakomimasuGame(models.Model):
    """A game of the HTTP API of the Kakomimasu project (``exhibitions.kakomimasu``).

    A free game has no match while its first player waits for a second one; what is known of him is kept here so long.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """The game's id in that API."""
    match = models.OneToOneField(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="kakomimasu_game")
    board = models.CharField(max_length=40)
    """Name of a published board."""
    agents = models.PositiveSmallIntegerField()
    turns = models.PositiveSmallIntegerField()
    operation_seconds = models.PositiveSmallIntegerField()
    transition_seconds = models.PositiveSmallIntegerField()
    waiting_name = models.CharField(max_length=100, default="", blank=True)
    """The name of the player who waits; empty once there is a match, as the following fields are."""
    waiting_user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    waiting_visitor = models.CharField(max_length=64, default="", blank=True)
    """As ``RemoteSeat.visitor``."""
    waiting_secret_hash = models.CharField(max_length=64, default="", blank=True)
    """As ``RemoteSeat.secret_hash``."""
    specs = models.JSONField(null=True, blank=True)
    """What the players who have joined said of their programs, in the order of their seats; null: nothing."""
    seen_at = models.DateTimeField()
    """When somebody last asked for the game while it waited."""

    def __str__(self) -> str:
        return f"Kakomimasu game {self.id}"
