"""What readers do with their notifications."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import Notification, User


def notifications_read(*, reader: User, pk: int | None = None) -> int:
    """Note that somebody has read one notification, or all; return how many were new."""
    unread = Notification.objects.filter(reader=reader, read_at=None)
    return (unread if pk is None else unread.filter(pk=pk)).update(read_at=timezone.now())
