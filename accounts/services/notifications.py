"""Marks notifications as read, and sends them by mail to the users who have chosen that."""

from __future__ import annotations

from datetime import timedelta

from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.mails import MailUnsent, mail_send, public_url
from accounts.models import Notification, User
from accounts.selectors.users import confirmed_email
from common.errors import InputError

NOTIFICATIONS_AT_ONCE_MAX = 10
"""How many mails one call sends at most: the process that sends them handles no reports of workers meanwhile."""
MAIL_HOURS_MAX = 24
"""Notifications that are older than this are not mailed any more; they stay on the page of notifications."""
PAUSE_SECONDS = 300
"""How long no mail is tried after one could not be sent: each try may block the process until its timeout."""
_PAUSED = "notification_mails.paused"


def notifications_read(*, reader: User, pk: int | None = None) -> int:
    """Mark one notification of a user as read, or all if ``pk`` is None; return how many were unread."""
    unread = Notification.objects.filter(reader=reader, read_at=None)
    return (unread if pk is None else unread.filter(pk=pk)).update(read_at=timezone.now())


def notification_mails_set(*, reader: User, language: str) -> None:
    """Turn notifications by mail on for a user, in ``language`` (a code such as ``ja``), or off if that is empty.

    Raises:
        InputError: the user has no confirmed mail address.
    """
    if language and not confirmed_email(user=reader):
        raise InputError(_("Please confirm an e-mail address first."))
    User.objects.filter(pk=reader.pk).update(mail_language=language)


def notification_mails_send() -> int:
    """Send up to ``NOTIFICATIONS_AT_ONCE_MAX`` of the due notifications by mail, and return how many were sent.

    A notification is marked as sent before it is sent. So two processes never send the same one, and one that dies in
    between sends it not at all.
    """
    due = Notification.objects.filter(mail_due=True).order_by("pk")
    due.filter(created_at__lt=timezone.now() - timedelta(hours=MAIL_HOURS_MAX)).update(mail_due=False)
    if cache.get(_PAUSED):
        return 0
    sent = 0
    try:
        for notification in due.select_related("reader")[:NOTIFICATIONS_AT_ONCE_MAX]:
            if due.filter(pk=notification.pk).update(mail_due=False):
                sent += _send_one(notification)
    except MailUnsent:
        cache.set(_PAUSED, True, timeout=PAUSE_SECONDS)
    return sent


def _send_one(notification: Notification) -> bool:
    """Send a notification if its reader still wants mails, and return whether it was sent.

    Raises:
        MailUnsent: the mail server does not take it; the notification is due again.
    """
    language, address = notification.reader.mail_language, confirmed_email(user=notification.reader)
    if not (language and address and notification.reader.is_active):
        return False
    with override(language):
        subject, every = notification.text, reverse("accounts:notifications")
        footer = _("You get this mail because you wanted notifications by mail. No more of them, please:")
    text = f"{subject}\n\n{public_url(notification.url)}\n\n-- \n{footer}\n{public_url(every)}"
    try:
        mail_send(kind=f"notice: {notification.kind}", address=address, subject=subject, text=text)
    except MailUnsent:
        Notification.objects.filter(pk=notification.pk).update(mail_due=True)
        raise
    return True
