"""Writes of notifications by their readers."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import Notification, User


def notifications_read(*, reader: User, pk: int | None = None) -> int:
    """Mark one notification of a user as read, or all if ``pk`` is None; return how many were unread."""
    unread = Notification.objects.filter(reader=reader, read_at=None)
    return (unread if pk is None else unread.filter(pk=pk)).update(read_at=timezone.now())
