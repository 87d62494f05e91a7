"""What bots did, and who follows bots and people."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.constraints import one_of
from ladder.models.bots import Bot


class Follow(models.Model):
    """A user who follows a bot, or a person with all bots of that person."""

    follower = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows", db_index=False
    )
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, null=True, blank=True, related_name="followed_by")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="followed_by"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(bot__isnull=False, person__isnull=True) | Q(bot__isnull=True, person__isnull=False),
                name="follow_bot_or_person",
            ),
            models.UniqueConstraint(fields=["follower", "bot"], name="follow_bot_once"),
            models.UniqueConstraint(fields=["follower", "person"], name="follow_person_once"),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id} follows {'bot' if self.bot_id else 'user'} {self.bot_id or self.person_id}"


class BotEvent(models.Model):
    """Something that a bot did, for those who follow it and for feeds. Stores the values of its sentence."""

    class Kind(models.TextChoices):
        """What has happened; ``ladder.words.events`` makes the sentences."""

        VERSION = "version", _("new version")
        """A version was accepted and plays."""
        CLOSE_MATCH = "close_match", _("close match")
        """It played a close match."""
        LEADER = "leader", _("first place")
        """It took the first rank of its board."""
        PLACE_LOST = "place_lost", _("lost place")
        """It lost the first rank, a rank among the first ten, or its league."""
        PROMOTED = "promoted", _("promotion")
        """It rose to a higher league."""
        TOURNAMENT = "tournament", _("tournament")
        """A tournament in which it played is over."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="events", db_index=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    occasion = models.CharField(max_length=40)
    """Of events of a kind with one occasion, such as a day, a bot has only the first."""
    values = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)
    followers_after = models.BigIntegerField(null=True, blank=True)
    """Follows with higher keys are not yet notified of it; null: nobody is to be notified any more."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "kind", "occasion"], name="bot_event_once"),
            one_of(
                "bot_event_kind_known",
                kind=["version", "close_match", "leader", "place_lost", "promoted", "tournament"],
            ),
        ]
        indexes = [
            models.Index(fields=["bot", "-id"], name="bot_event_newest"),
            models.Index(fields=["kind", "-id"], name="bot_event_newest_of_kind"),
            models.Index(fields=["at"], name="bot_event_by_time"),
            models.Index(fields=["id"], condition=Q(followers_after__isnull=False), name="bot_event_unnotified"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of bot {self.bot_id} {self.occasion}"
