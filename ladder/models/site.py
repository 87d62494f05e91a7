"""The settings of games and the announcements, which administrators write."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of


class GameSetting(models.Model):
    """State, deadline and limits of a game. A game without a row is open, has no deadline and its declared limits."""

    class State(models.TextChoices):
        """Whether a game takes bots and plays. Only ``ladder.services.games.game_transition`` changes it."""

        OPEN = "open", _("open")
        """Uploads are taken until the deadline, and matches are paired."""
        PAUSED = "paused", _("paused")
        """No new matches are paired. Uploads are taken until the deadline and built, and play when the game is open."""
        FROZEN = "frozen", _("frozen")
        """The contest is over: no uploads, no new matches. The board and all replays stay."""

    game = models.CharField(max_length=40, unique=True)
    """Name of the game in ``games.registry``."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    reason = models.CharField(max_length=500, default="", blank=True)
    """Why the game is paused or frozen; shown to everybody."""
    uploads_until = models.DateTimeField(null=True, blank=True)
    """The deadline for uploads; matches go on after it until the game is frozen. Null: no deadline."""
    limits = models.JSONField(default=dict, blank=True)
    """Limits of its bots, by the field names of ``wire.jobs.BotLimits``, that differ from the installation's."""
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [one_of("game_state_known", state=["open", "paused", "frozen"])]
        ordering = ["game"]

    def __str__(self) -> str:
        return self.game

    def is_past_deadline(self, at: datetime | None = None) -> bool:
        """Return whether the deadline for uploads has passed at a time; None: now."""
        return self.uploads_until is not None and self.uploads_until <= (at or timezone.now())


class Announcement(models.Model):
    """A text of the administrators that stands on top of every page for a time."""

    class Level(models.TextChoices):
        """How important an announcement is; pages show the level as a word."""

        NEWS = "news", _("News")
        """Good to know; nobody has to act."""
        WARNING = "warning", _("Please note")
        """Something will not work as usual."""
        URGENT = "urgent", _("Important")
        """Readers who do not act on it may lose something."""

    text = models.TextField(max_length=1_000)
    """The text as readers see it; pages turn its urls into links."""
    level = models.CharField(max_length=10, choices=Level.choices, default=Level.NEWS)
    shown_from = models.DateTimeField(default=timezone.now)
    shown_until = models.DateTimeField(null=True, blank=True)
    """When pages stop showing it; null: when it is deleted."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(shown_until__isnull=True) | Q(shown_until__gt=models.F("shown_from")),
                name="announcement_ends_after_its_begin",
                violation_error_message=_("The end must be later than the beginning."),
            ),
            one_of("announcement_level_known", level=["news", "warning", "urgent"]),
        ]
        ordering = ["-shown_from", "-pk"]

    def __str__(self) -> str:
        return Truncator(self.text).chars(60)
