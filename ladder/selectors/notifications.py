"""What pages and programs read of notifications."""

from __future__ import annotations

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from ladder.models import Notification, User


def notifications_of(*, reader: User) -> QuerySet[Notification]:
    """Return a user's notifications, newest first."""
    return Notification.objects.filter(reader=reader).order_by("-pk")


def notification_of(*, pk: int, reader: User) -> Notification | None:
    """Return a notification if it is this user's own (1 query), or None: others shall not learn that it exists."""
    return notifications_of(reader=reader).filter(pk=pk).first()


def unread_count(*, reader: User) -> int:
    """Return how many notifications of a user are new (1 query)."""
    return Notification.objects.filter(reader=reader, read_at=None).count()


def users_with_unread() -> QuerySet[User]:
    """Return users with ``unread``, how many notifications are new: read with the user, it costs no query more."""
    own = Notification.objects.filter(reader=OuterRef("pk"), read_at=None).order_by().values("reader")
    count = Subquery(own.annotate(count=Count("pk")).values("count"), output_field=IntegerField())
    return User.objects.annotate(unread=Coalesce(count, 0))
