"""Webhooks and their deliveries."""

from __future__ import annotations

import base64
import secrets
from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.models import Notification, User
from accounts.news_kinds import topic_choices
from common.constraints import one_of

URL_LENGTH_MAX = 500
_SALT = "webhooks.secret"


def nonce_new() -> str:
    """Return a new random text of which the secret of a hook is made."""
    return secrets.token_hex(16)


class Hook(models.Model):
    """A url to which the arena sends some kinds of a user's notifications."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="hooks")
    url = models.CharField(max_length=URL_LENGTH_MAX)
    groups = models.JSONField()
    """The names of the topics whose notifications it is sent (``accounts.news_kinds``)."""
    nonce = models.CharField(max_length=32, default=nonce_new, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    failures = models.PositiveSmallIntegerField(default=0, editable=False)
    """How many tries have failed since the last that succeeded."""
    off_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When it was turned off after too many failures; null: it is on."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"hook {self.pk} to {self.host}"

    @property
    def host(self) -> str:
        """The host name in its url."""
        return urlsplit(self.url).hostname or ""

    @property
    def group_names(self) -> list[str]:
        """The titles of the topics whose notifications it is sent, in the reader's language."""
        return [str(label) for value, label in topic_choices() if value in self.groups]

    @property
    def key(self) -> bytes:
        """The key that its messages are signed with.

        It is made of the arena's own secret, and in no column. The attack: somebody reads a backup of the database, and
        sends messages in the arena's name.
        """
        return salted_hmac(_SALT, self.nonce, algorithm="sha256").digest()

    @property
    def secret(self) -> str:
        """The key as its owner gets it, in the form of the specification Standard Webhooks."""
        return f"whsec_{base64.b64encode(self.key).decode()}"


class Delivery(models.Model):
    """A message to a hook: one notification, or a test."""

    class Fault(models.TextChoices):
        """Why a try has failed."""

        STATUS = "status", _("the answer was not 2xx")
        """It was answered by another status; a redirect is one."""
        NO_ANSWER = "no_answer", _("no answer in time")
        """The receiver did not take it or answer within the time limit."""
        UNREACHABLE = "unreachable", _("not reachable")
        """The host is unknown, refuses connections, or answers by something that is not HTTP."""
        CERTIFICATE = "certificate", _("its certificate is not valid")
        """TLS has failed."""
        PRIVATE = "private", _("not a public address")
        """The host has an address that is not public."""

    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The notification that it brings; null for a test."""
    created_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, default=timezone.now)
    """When it is sent next; null: it was delivered, or given up."""
    tried_at = models.DateTimeField(null=True, blank=True)
    is_delivered = models.BooleanField(default=False)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    """The HTTP status of the last answer; null: there was none."""
    fault = models.CharField(max_length=12, choices=Fault.choices, default="", blank=True)
    """Why the last try failed; empty if it did not."""

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["hook", "notification"], name="delivery_once"),
            one_of("delivery_fault_known", fault=["", "status", "no_answer", "unreachable", "certificate", "private"]),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="delivery_due"),
            models.Index(fields=["hook", "-id"], name="delivery_newest"),
            models.Index(fields=["created_at"], name="delivery_by_age"),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk} to {self.hook_id}"

    @property
    def kind(self) -> str:
        """The kind of its notification; ``test`` for a test."""
        return self.notification.kind if self.notification else "test"
