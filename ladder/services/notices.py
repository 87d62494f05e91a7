"""Notifications by mail, for those who want them so."""

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
from ladder.words.notifications import notification_text, notification_url

NOTICES_AT_ONCE_MAX = 10
"""The manager that sends them handles no report meanwhile."""
NOTICE_HOURS_MAX = 24
"""What could not be sent for so long is no news any more; it stands on the page of notifications all the same."""
PAUSE_SECONDS = 300
"""So long a mail server that is away is left alone: one that never answers holds the manager each time."""
_PAUSED = "notices.paused"


def notices_want(*, reader: User, language: str) -> None:
    """Note that somebody wants notifications by mail, too, from now on; or no more of them.

    Args:
        reader: who.
        language: in which language; empty: no more.

    Raises:
        InputError: there is no address that is known to be the reader's own.
    """
    if language and not confirmed_email(user=reader):
        raise InputError(_("Please confirm an e-mail address first."))
    User.objects.filter(pk=reader.pk).update(mail_language=language)


def notices_send() -> int:
    """Send some of the notifications that are to go out by mail; return how many went out.

    Each is sent once, or not at all if the process dies in the middle: two managers never take the same one.
    """
    due = Notification.objects.filter(mail_due=True).order_by("pk")
    due.filter(created_at__lt=timezone.now() - timedelta(hours=NOTICE_HOURS_MAX)).update(mail_due=False)
    if cache.get(_PAUSED):
        return 0
    sent = 0
    try:
        for notice in due.select_related("reader")[:NOTICES_AT_ONCE_MAX]:
            if due.filter(pk=notice.pk).update(mail_due=False):
                sent += _sent(notice)
    except MailUnsent:
        cache.set(_PAUSED, True, timeout=PAUSE_SECONDS)
    return sent


def _sent(notice: Notification) -> bool:
    """Send one notification, if its reader still wants it; say whether.

    Raises:
        MailUnsent: it cannot be sent now; it is due again.
    """
    language, address = notice.reader.mail_language, confirmed_email(user=notice.reader)
    if not (language and address and notice.reader.is_active):
        return False
    with override(language):
        subject, text = notification_text(notice), _text(notice)
    try:
        mail_send(kind=f"notice: {notice.kind}", address=address, subject=subject, text=text)
    except MailUnsent:
        Notification.objects.filter(pk=notice.pk).update(mail_due=True)
        raise
    return True


def _text(notice: Notification) -> str:
    about, every = notification_url(notice), reverse("ladder:notifications")
    footer = _("You get this mail because you wanted notifications by mail. No more of them, please:")
    return "\n\n".join(
        [
            notification_text(notice),
            public_url(about),
            f"-- \n{footer}\n{public_url(every)}",
        ]
    )
