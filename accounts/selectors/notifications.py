"""Reads of notifications."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import Notification, User


def notifications_of(*, reader: User) -> QuerySet[Notification]:
    """Return a user's notifications, newest first."""
    return Notification.objects.filter(reader=reader).order_by("-pk")


def notification_of(*, pk: int, reader: User) -> Notification | None:
    """Return a notification of this user, or None (1 query); others cannot learn whether it exists."""
    return notifications_of(reader=reader).filter(pk=pk).first()


def unread_count(*, reader: User) -> int:
    """Return the number of a user's unread notifications (1 query)."""
    return Notification.objects.filter(reader=reader, read_at=None).count()
