"""What pages and programs read of notifications."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts.models import Notification, User

_WITH_UNREAD = """
    SELECT u.*, (SELECT COUNT(*) FROM accounts_notification n WHERE n.reader_id = u.id AND n.read_at IS NULL) AS unread
    FROM accounts_user u WHERE u.id = %s
"""


def notifications_of(*, reader: User) -> QuerySet[Notification]:
    """Return a user's notifications, newest first."""
    return Notification.objects.filter(reader=reader).order_by("-pk")


def notification_of(*, pk: int, reader: User) -> Notification | None:
    """Return a notification if it is this user's own (1 query), or None: others shall not learn that it exists."""
    return notifications_of(reader=reader).filter(pk=pk).first()


def unread_count(*, reader: User) -> int:
    """Return how many notifications of a user are new (1 query)."""
    return Notification.objects.filter(reader=reader, read_at=None).count()


def confirmed_email(*, reader: User) -> str | None:
    """Return where somebody reads mails for certain (1 query): nobody else's mailbox is filled with what is not his."""
    known = EmailAddress.objects.filter(user=reader, primary=True, verified=True).first()
    return str(known.email) if known else None


def user_with_unread(*, pk: int) -> User | None:
    """Return a user with ``unread``, how many notifications are new (1 query), or None.

    In SQL, since it is asked with every page that somebody sees: Django takes longer to make it than to run it.
    """
    return next(iter(User.objects.raw(_WITH_UNREAD, [pk])), None)
