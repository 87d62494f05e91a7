"""Hosts that were invited to play, and the counters behind the metrics."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from wire.signing import HOST_PREFIX


class Host(models.Model):
    """A machine that may play for this arena, with a user of the broker of its own."""

    class State(models.TextChoices):
        """How far a host has come. Transitions: ``fleet.services.hosts.host_transition``."""

        INVITED = "invited", _("invited")
        """Its token was made, and nobody has used it."""
        JOINED = "joined", _("joined")
        """Its token was exchanged for its broker user, once."""
        REVOKED = "revoked", _("revoked")
        """Its broker user is off, or its token is worth nothing; if it has joined, another name is the way back."""

    name = models.CharField(max_length=40, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.INVITED)
    token_digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of its token: whoever reads the database cannot join with it."""
    password_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of its broker user's password, as the broker keeps it; from it the user is made again."""
    invited_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    """Until when the token can be used."""
    joined_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("host_state_known", state=["invited", "joined", "revoked"]),
            models.CheckConstraint(
                condition=~Q(state="joined") | Q(joined_at__isnull=False), name="host_joined_has_time"
            ),
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def broker_user(self) -> str:
        """Its user at the broker."""
        return f"{HOST_PREFIX}{self.name}"


class Tally(models.Model):
    """A counter that only grows, one row for each set of labels (see ``fleet.services.tallies``)."""

    name = models.CharField(max_length=40)
    """One of ``fleet.services.tallies``'s."""
    labels = models.CharField(max_length=100)
    """The values of its labels in order, with commas between."""
    value = models.FloatField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [models.UniqueConstraint(fields=["name", "labels"], name="tally_unique")]

    def __str__(self) -> str:
        return f"{self.name}({self.labels}): {self.value:g}"


class TallyMark(models.Model):
    """The one row that says until when matches have been counted; locked by whoever counts on."""

    counted_until = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="tally_mark_is_one")]

    def __str__(self) -> str:
        return f"counted until {self.counted_until}"
