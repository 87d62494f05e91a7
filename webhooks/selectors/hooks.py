"""Reads hooks and their deliveries."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from webhooks.models import Delivery, Hook

DELIVERIES_SHOWN = 10


def hooks_of(*, owner: User) -> QuerySet[Hook]:
    """Return a user's hooks, oldest first."""
    return Hook.objects.filter(owner=owner)


def hook_of(*, owner: User, pk: int) -> Hook | None:
    """Return a user's own hook (1 query); None if there is none: others cannot learn whether it exists."""
    return hooks_of(owner=owner).filter(pk=pk).first()


def deliveries_of(*, hook: Hook) -> list[Delivery]:
    """Return the newest deliveries of a hook, at most ``DELIVERIES_SHOWN`` (1 query)."""
    return list(Delivery.objects.filter(hook=hook).select_related("notification")[:DELIVERIES_SHOWN])


def delivery_is_due() -> bool:
    """Return whether a message is due (1 query)."""
    return _due(timezone.now()).exists()


def deliveries_due(*, at: datetime, limit: int) -> list[Delivery]:
    """Return messages that are due at a time, with hooks and notifications (1 query).

    They are the oldest one of each hook, at most ``limit``.
    """
    due = _due(at)
    first = due.filter(hook=OuterRef("hook")).order_by("pk").values("pk")[:1]
    rows = due.filter(pk=Subquery(first)).select_related("hook", "notification")
    return list(rows.order_by("due_at")[:limit])


def _due(at: datetime) -> QuerySet[Delivery]:
    # A test is sent to a hook that is off, too: it tells whether the program is repaired.
    return Delivery.objects.filter(Q(hook__off_at=None) | Q(notification=None), due_at__lte=at)
