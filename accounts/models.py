"""Models: users, their notifications, and the audit log."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.functional import Promise

from accounts.account import Account
from accounts.news_kinds import news_kind

AFFILIATION_MAX = 80
ABOUT_MAX = 1_000
"""How many characters ``User.about`` may have: few, since every page that a user asks for reads the user's row."""


class User(Account):
    """A user. Our own class from the first migration on, since Django cannot replace its user model later."""

    uploads_stopped = models.CharField(max_length=500, default="", blank=True)
    """Why this account may upload nothing, as its owner reads it (``accounts.services.accounts``); empty: it may."""
    mail_language = models.CharField(max_length=10, default="", db_default="", blank=True, editable=False)
    """The language in which notifications are also sent by mail; empty: they are not."""
    password_once = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether the password was made for the user by somebody else: the user must choose another one before anything
    else (``accounts.one_time``)."""
    affiliation = models.CharField(max_length=AFFILIATION_MAX, default="", db_default="", blank=True, editable=False)
    """The school or team that the user names on the public profile."""
    about = models.TextField(max_length=ABOUT_MAX, default="", db_default="", blank=True, editable=False)
    """What the user writes on the public profile, as Markdown."""


class Notification(models.Model):
    """A notification of a user. Stores the values of its sentence, which is made in the reader's language."""

    reader = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notifications", db_index=False)
    kind = models.CharField(max_length=20)
    """The name of its kind (``accounts.news_kinds``)."""
    occasion = models.CharField(max_length=100)
    """Identifies the event, so that an event that is reported twice makes one notification."""
    values = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_due = models.BooleanField(default=False, db_default=False)
    """Whether the notification is still to be sent by mail."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["reader", "kind", "occasion"], name="notification_once")]
        indexes = [
            models.Index(fields=["reader", "-id"], name="notification_newest"),
            models.Index(fields=["reader"], condition=Q(read_at=None), name="notification_unread"),
            models.Index(fields=["id"], condition=Q(mail_due=True), name="notification_mail_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.occasion}"

    @property
    def title(self) -> str | Promise:
        """What has happened, in one or two words."""
        return news_kind(self.kind).title

    @property
    def text(self) -> str:
        """The sentence, in the active language."""
        return news_kind(self.kind).text(self.values)

    @property
    def url(self) -> str:
        """The url of the page that the notification is about."""
        return news_kind(self.kind).url(self.values)


class AuditEntry(models.Model):
    """One act of an administrator, organiser, user or the site itself: who did what, when, why. It never changes."""

    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    """The account that acted; null for an act of the site or of the command line, and if the account was deleted."""
    actor_name = models.CharField(max_length=150)
    """User name of the actor at that time; ``command line`` if there was none."""
    act = models.CharField(max_length=40)
    """Name of the service function, such as ``worker_drain``."""
    target = models.CharField(max_length=200)
    reason = models.CharField(max_length=1_000, default="", blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.act} {self.target}"
