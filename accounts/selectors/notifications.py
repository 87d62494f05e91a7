"""Reads of notifications, and of the e-mail address that gets them."""

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
    """Return a notification of this user, or None (1 query); others cannot learn whether it exists."""
    return notifications_of(reader=reader).filter(pk=pk).first()


def unread_count(*, reader: User) -> int:
    """Return the number of a user's unread notifications (1 query)."""
    return Notification.objects.filter(reader=reader, read_at=None).count()


def confirmed_email(*, reader: User) -> str | None:
    """Return the confirmed e-mail address of a user, or None (1 query); mails to others might reach a stranger."""
    known = EmailAddress.objects.filter(user=reader, primary=True, verified=True).first()
    return str(known.email) if known else None


def user_with_unread(*, pk: int) -> User | None:
    """Return a user, with the number of unread notifications as ``unread``, or None (1 query).

    In hand-written SQL, since every page of a signed-in user runs it, and Django takes longer to compile the query than
    the database to run it.
    """
    return next(iter(User.objects.raw(_WITH_UNREAD, [pk])), None)
