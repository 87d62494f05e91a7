"""What a game of the API has besides its exhibition (``exhibitions.models.Exhibition``)."""

from __future__ import annotations

import uuid

from django.db import models

from accounts.models import User
from matches.models import Match


class KakomimasuGame(models.Model):
    """A game of the HTTP API of the Kakomimasu project.

    A free game has no match while its first player waits for a second one; until then what is known of the first one
    is kept here.
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

    class Meta:
        db_table = "exhibitions_kakomimasugame"  # the model was one of the app exhibitions

    def __str__(self) -> str:
        return f"Kakomimasu game {self.id}"
