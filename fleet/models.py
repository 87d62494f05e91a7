"""Hosts that were invited to play, and the counters behind the metrics."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from wire.own_queues import GUEST_PREFIX
from wire.signing import HOST_PREFIX


class Host(models.Model):
    """A machine that may play for this arena, with a user of the broker of its own."""

    class State(models.TextChoices):
        """State of a host; ``fleet.services.hosts.host_transition`` changes it."""

        INVITED = "invited", _("invited")
        """It has a token that has not been used."""
        JOINED = "joined", _("joined")
        """It has exchanged the token for its broker user, which works once."""
        REVOKED = "revoked", _("revoked")
        """Its token or its broker user no longer works. A machine that had joined can come back under another name."""

    name = models.CharField(max_length=40, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.INVITED)
    is_guest = models.BooleanField(default=False, db_default=False)
    """Whether it belongs to somebody else: it gets no jobs of private contests, unless their organisers agree."""
    token_digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the secret in its token. The attack: somebody who can read the database joins with the token."""
    password_digest = models.CharField(max_length=64, default="", blank=True)
    """SHA-256 of its broker user's password, in the broker's own format; enough to create the user again."""
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
        """Name of the host's user at the broker."""
        return f"{GUEST_PREFIX if self.is_guest else HOST_PREFIX}{self.name}"


class Tally(models.Model):
    """A counter of a metric that only grows, with one row for each set of labels (``fleet.services.tallies``)."""

    name = models.CharField(max_length=40)
    """A counter's name, one of the constants in ``fleet.services.tallies``."""
    labels = models.CharField(max_length=100)
    """The values of the counter's labels, separated by commas, in the order of the labels in ``fleet.metrics``."""
    value = models.FloatField()

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [models.UniqueConstraint(fields=["name", "labels"], name="tally_unique")]

    def __str__(self) -> str:
        return f"{self.name}({self.labels}): {self.value:g}"


class TallyMark(models.Model):
    """The single row that says until when matches have been counted. Processes that count lock it."""

    counted_until = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="tally_mark_is_one")]

    def __str__(self) -> str:
        return f"counted until {self.counted_until}"
