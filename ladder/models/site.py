"""What administrators set, tell and did."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of


class GameSetting(models.Model):
    """How a game is run here. A game without a row is open for ever, with the limits that it declares."""

    class State(models.TextChoices):
        """What is done for a game. Transitions: ``ladder.services.games.game_transition``; any to any other."""

        OPEN = "open", _("open")
        """Bots are taken until the deadline, matches are paired."""
        PAUSED = "paused", _("paused")
        """No new matches are made. Bots are taken until the deadline, and built; they play once it is open again."""
        FROZEN = "frozen", _("frozen")
        """The contest is over: no bots, no new matches. The board and all replays stay."""

    game = models.CharField(max_length=40, unique=True)
    """Name of the game in the core's registry."""
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    reason = models.CharField(max_length=500, default="", blank=True)
    """Why it is paused or frozen, for everybody to read."""
    uploads_until = models.DateTimeField(null=True, blank=True)
    """When it stops taking bots; matches go on behind it, until it is frozen. Null: it never does by itself."""
    limits = models.JSONField(default=dict, blank=True)
    """Limits of its bots by name (``wire.jobs.BotLimits``) that are not what the installation has set."""
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [one_of("game_state_known", state=["open", "paused", "frozen"])]
        ordering = ["game"]

    def __str__(self) -> str:
        return self.game

    def is_past_deadline(self, at: datetime | None = None) -> bool:
        """Tell whether bots come too late at a time; None: now."""
        return self.uploads_until is not None and self.uploads_until <= (at or timezone.now())


class Announcement(models.Model):
    """What administrators tell everybody, on top of every page for a while."""

    class Level(models.TextChoices):
        """How much it matters; shown by a word, too."""

        NEWS = "news", _("News")
        """Good to know."""
        WARNING = "warning", _("Please note")
        """Something will not go as usual."""
        URGENT = "urgent", _("Important")
        """Whoever does not act on it may lose something."""

    text = models.TextField(max_length=1_000)
    """As readers see it; addresses in it become links."""
    level = models.CharField(max_length=10, choices=Level.choices, default=Level.NEWS)
    shown_from = models.DateTimeField(default=timezone.now)
    shown_until = models.DateTimeField(null=True, blank=True)
    """Null: until somebody takes it down."""

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
