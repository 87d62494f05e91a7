"""The announcements of administrators and organisers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from contests.models import Contest


class Announcement(models.Model):
    """A text that stands on top of every page for a time, or on the pages of one contest."""

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
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, null=True, blank=True, related_name="announcements")
    """The contest on whose pages it stands; null: on every page."""
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
