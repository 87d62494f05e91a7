"""What bots did, and who follows bots and people."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.news_kinds import news_kind
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

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="events", db_index=False)
    kind = models.CharField(max_length=12)
    """The name of its kind (``accounts.news_kinds``)."""
    occasion = models.CharField(max_length=40)
    """What the event belongs to, such as a day: a bot has at most one event of a kind for each occasion, the first."""
    values = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)
    followers_after = models.BigIntegerField(null=True, blank=True)
    """Follows with higher keys are not yet notified of it; null: nobody is to be notified any more."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bot", "kind", "occasion"], name="bot_event_once")]
        indexes = [
            models.Index(fields=["bot", "-id"], name="bot_event_newest"),
            models.Index(fields=["kind", "-id"], name="bot_event_newest_of_kind"),
            models.Index(fields=["at"], name="bot_event_by_time"),
            models.Index(fields=["id"], condition=Q(followers_after__isnull=False), name="bot_event_unnotified"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of bot {self.bot_id} {self.occasion}"

    @property
    def text(self) -> str:
        """The sentence that tells the event, in the active language."""
        return news_kind(self.kind).text(self.values | {"name": self.bot.name})

    @property
    def url(self) -> str:
        """The url of the page that the event is about."""
        return news_kind(self.kind).url(self.values | {"bot": self.bot_id})
