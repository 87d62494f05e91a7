"""Sends mails while users wait, through a mail server that may be away or never answer."""

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
"""Most mails that one process sends at once. A mail server that does not answer holds a thread for each mail, for
``EMAIL_TIMEOUT``.

The attack it stops: while the mail server hangs, somebody asks for a handful of new passwords, and nobody can sign in.
"""

HEADERS = {"Auto-Submitted": "auto-generated"}
"""Headers of each mail (RFC 3834), which keep automatic replies from answering it."""

_slots = BoundedSemaphore(MAILS_AT_ONCE_MAX)


class MailUnsent(Exception):  # noqa: N818 - says what has happened
    """A mail could not be sent, by the platform's fault; the log says why."""


@contextmanager
def mail_sending(kind: str) -> Iterator[None]:
    """Run a block that sends a mail; ``kind`` names it in the log if it cannot be sent.

    Raises:
        MailUnsent: the mail server is away, refuses the mail, or is so slow that ``MAILS_AT_ONCE_MAX`` others wait.
    """
    if not _slots.acquire(blocking=False):
        log.error("mail_unsent", mail=kind, error=f"{MAILS_AT_ONCE_MAX} others wait for the mail server.")
        raise MailUnsent(kind)
    try:
        yield
    except OSError as error:  # all that smtplib raises, too
        log.error("mail_unsent", mail=kind, error=f"{type(error).__name__}: {error}")
        raise MailUnsent(kind) from error
    finally:
        _slots.release()


def public_url(url: str) -> str:
    """Return the URL of a page for mails, on the host of ``PUBLIC_URL``; ``url`` is its path or its whole URL.

    It is never on the host that a request names. The attack: somebody orders a link for another user's new password,
    with a port of his own after the site's name in the request, and waits on that port for the user to follow the link.
    """
    path = urlsplit(url)._replace(scheme="", netloc="").geturl()
    return urljoin(str(settings.PUBLIC_URL), path)


def public_host() -> str:
    """Return the host name of this site for mails, with its port if ``PUBLIC_URL`` has one."""
    return urlsplit(str(settings.PUBLIC_URL)).netloc


def mail_domain_set() -> None:
    """Make Django use the sender's domain in message ids and in the greeting of mail servers.

    By default it uses the machine's name. That is ``localhost`` or the id of a container, which looks like spam.
    """
    with suppress(UnicodeError):  # the domain is invalid: the site starts, and each mail that fails is logged
        DNS_NAME._fqdn = punycode(parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2])


def mail_send(*, kind: str, address: str, subject: str, text: str) -> None:
    """Send a mail to one e-mail address.

    Raises:
        MailUnsent: the mail cannot be sent now.
    """
    with mail_sending(kind):
        EmailMessage(subject, text, None, [address], headers=HEADERS).send()


def owner_notify(*, user: User, kind: str, subject: str, text: str) -> None:
    """Send the owner of an account a mail about what others have done to it, if the account has an e-mail address.

    The change has been made before. A mail that cannot be sent is logged, and the change stays.
    """
    if address := EmailAddress.objects.get_primary_email(user):
        with suppress(MailUnsent):
            mail_send(kind=kind, address=address, subject=subject, text=text)
