"""Models: users, their notifications, and the audit log."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.account import Account
from common.constraints import one_of

AFFILIATION_MAX = 80
ABOUT_MAX = 1_000
"""Characters. Few, since every page that a user asks for reads the user's row."""


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

    class Kind(models.TextChoices):
        """What has happened. Apps above make the sentence and the URL of a notification from its values."""

        BUILT = "built", _("built")
        """A version has been built and plays."""
        REJECTED = "rejected", _("rejected")
        """A version was rejected: it could not be built, or failed its check match."""
        NOT_BUILT = "not_built", _("not built")
        """A version could not be built, by the platform's fault."""
        PROBATION = "probation", _("on probation")
        """A version failed in several matches, and is not paired any more."""
        WITHDRAWN = "withdrawn", _("withdrawn")
        """An administrator has withdrawn a version."""
        PROMOTED = "promoted", _("promoted")
        """A bot has risen to a higher league."""
        TRIAL_ENDED = "trial_ended", _("test ended")
        """A private test has ended by itself."""
        TOURNAMENT_BEGINS = "tournament_begins", _("tournament begins")
        """A tournament in which the bot plays has begun."""
        TOURNAMENT_LEFT = "tournament_left", _("out of a tournament")
        """An organiser has withdrawn or disqualified the bot from a tournament."""
        TOURNAMENT_FAULTS = "tournament_faults", _("at fault in a tournament")
        """The bot was at fault in every match of a tournament's stage."""
        TOURNAMENT_OVER = "tournament_over", _("tournament over")
        """All results of a tournament are public."""
        CONTEST_OVER = "contest_over", _("contest over")
        """The final board of a contest in which the bot took part is signed."""
        FOLLOWED = "followed", _("followed bot")
        """A bot that the reader follows played a close match, or lost its place."""
        HOOK_OFF = "hook_off", _("webhook off")
        """A webhook of the reader was turned off, since too many tries in a row have failed."""

    reader = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notifications", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    occasion = models.CharField(max_length=100)
    """Identifies the event, so that an event that is reported twice makes one notification."""
    values = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_due = models.BooleanField(default=False, db_default=False)
    """Whether the notification is still to be sent by mail."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reader", "kind", "occasion"], name="notification_once"),
            one_of(
                "notification_kind_known",
                kind=[
                    "built",
                    "rejected",
                    "not_built",
                    "probation",
                    "withdrawn",
                    "promoted",
                    "trial_ended",
                    "tournament_begins",
                    "tournament_left",
                    "tournament_faults",
                    "tournament_over",
                    "contest_over",
                    "followed",
                    "hook_off",
                ],
            ),
        ]
        indexes = [
            models.Index(fields=["reader", "-id"], name="notification_newest"),
            models.Index(fields=["reader"], condition=Q(read_at=None), name="notification_unread"),
            models.Index(fields=["id"], condition=Q(mail_due=True), name="notification_mail_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.occasion}"


class AuditEntry(models.Model):
    """One act of an administrator, or an owner's end of a probation: who did what, when and why. Never changed."""

    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    """The account that acted; null if it was done on the command line."""
    actor_name = models.CharField(max_length=150)
    """Name of the actor at that time."""
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
