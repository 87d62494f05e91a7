"""Mails, which somebody waits for, by a mail server that may be away or never answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.utils import parseaddr
from threading import BoundedSemaphore
from urllib.parse import urljoin, urlsplit

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import DNS_NAME, EmailMessage
from django.utils.encoding import punycode

from accounts.models import User
from common.threads import ACCOUNT_THREADS

log = structlog.get_logger(__name__)

MAILS_AT_ONCE_MAX = ACCOUNT_THREADS - 1
"""Of one process: a mail server that does not answer holds a thread for each, for ``EMAIL_TIMEOUT``.

The attack it stops: a handful of questions for new passwords, while the mail server hangs, and nobody could sign in.
"""

HEADERS = {"Auto-Submitted": "auto-generated"}
"""Of each mail (RFC 3834): programs that answer for somebody on holiday leave it alone."""

_places = BoundedSemaphore(MAILS_AT_ONCE_MAX)


class MailUnsent(Exception):  # noqa: N818 - says what has happened
    """A mail could not be sent: the fault of the platform, which the log has."""


@contextmanager
def mail_sending(kind: str) -> Iterator[None]:
    """Send a mail within.

    Args:
        kind: which mail it is, for the log.

    Raises:
        MailUnsent: the mail server is away, refuses it, or is so slow that too many others wait for it.
    """
    if not _places.acquire(blocking=False):
        log.error("mail_unsent", mail=kind, error=f"{MAILS_AT_ONCE_MAX} others wait for the mail server.")
        raise MailUnsent(kind)
    try:
        yield
    except OSError as error:  # all that smtplib raises, too
        log.error("mail_unsent", mail=kind, error=f"{type(error).__name__}: {error}")
        raise MailUnsent(kind) from error
    finally:
        _places.release()


def public_url(address: str) -> str:
    """Return a page's address as mails name it: by ``PUBLIC_URL``, and never by what a request has called this site.

    The attack: somebody has a mail with a link for a new password sent to another, and writes a port of his own behind
    the site's name in the request; on that port he waits for the link.

    Args:
        address: a path, or a whole address.
    """
    path = urlsplit(address)._replace(scheme="", netloc="").geturl()
    return urljoin(str(settings.PUBLIC_URL), path)


def public_host() -> str:
    """Return this site's name, and its port if it has one of its own, as mails name it."""
    return urlsplit(str(settings.PUBLIC_URL)).netloc


def mail_domain_set() -> None:
    """Have mails say that they come from their sender's domain, in their numbers and where servers are greeted.

    Django says the machine's name: ``localhost``, or a container's number, by which mail servers tell spam.
    """
    with suppress(UnicodeError):  # of what is no domain the log says that nothing could be sent, and the site starts
        DNS_NAME._fqdn = punycode(parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2])


def mail_send(*, kind: str, address: str, subject: str, text: str) -> None:
    """Send a mail.

    Raises:
        MailUnsent: it cannot be sent now.
    """
    with mail_sending(kind):
        EmailMessage(subject, text, None, [address], headers=HEADERS).send()


def owner_notify(*, user: User, kind: str, subject: str, text: str) -> None:
    """Tell the owner of an account by mail what others have done to it, if it has an address.

    It is done by then: a mail that cannot be sent stands in the log, and undoes nothing.
    """
    address = EmailAddress.objects.get_primary_email(user)
    if address:
        with suppress(MailUnsent):
            mail_send(kind=kind, address=address, subject=subject, text=text)
