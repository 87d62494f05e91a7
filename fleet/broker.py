"""Creates, deletes and restores the broker's (Redis') users as which hosts sign in, while the broker runs.

Each function that asks the broker raises BrokerRefused if it cannot be reached, or denies a command.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlsplit, urlunsplit

import redis
import structlog
from django.conf import settings

from wire.jobs import REPORT_QUEUE
from wire.redis_acl import acl_rules
from wire.tls import broker_error

TIMEOUT_SECONDS = 5
REPORTS_MAX = 10_000
"""More waiting reports than this are a flood: 200 workers send about as many in half a minute."""

log = structlog.get_logger(__name__)


class BrokerRefused(Exception):  # noqa: N818 - says what happened
    """The broker cannot be reached, or it denies the site's user the command. The message is a whole sentence."""


def acl_file_reload() -> None:
    """Have the broker load its ACL file again, which an upgrade or a new password may have changed while it ran.

    Otherwise the broker would overwrite the changed file with its old users as soon as a host is let in.
    """
    with _site_connection() as broker:
        try:
            broker.acl_load()
        except redis.ResponseError as error:  # the broker has no ACL file, or cannot parse it
            log.warning("broker_users_not_read", error=str(error))


def user_allow(*, user: str, digest: str) -> None:
    """Create a broker user with one password and the rights of a playing worker, or reset an existing one to these.

    Instead of the password its SHA-256 ``digest`` is sent, 64 hexadecimal digits, so that no password gets into the
    broker's log.
    """
    with _site_connection() as broker:
        # The library's acl_setuser does not support selectors (rules in brackets).
        rules = ("reset", "on", f"#{digest}", *acl_rules(user))
        broker.execute_command("ACL", "SETUSER", user, *rules)  # type: ignore[no-untyped-call]
        _save(broker)


def user_deny(*, user: str) -> None:
    """Delete a broker user and its connections; if more than ``REPORTS_MAX`` reports wait, all reports, too.

    A report in the queue does not show its sender, so reports of other workers are deleted with the flood; what they
    reported is done again when their leases have run out. The attack: a host sends a million reports, which keep the
    managers busy for hours after the host was shut out, so that no results of others are handled.
    """
    with _site_connection() as broker:
        # Deleting a user also closes its connections, which the rule "off" would leave open.
        broker.acl_deluser(user)
        _save(broker)
        if (waiting := broker.llen(REPORT_QUEUE)) > REPORTS_MAX:
            log.warning("reports_forgotten", reports=waiting)
            broker.delete(REPORT_QUEUE)


def broker_url_for(*, user: str, password: str) -> str:
    """Return the URL with which a host signs in at the broker.

    It is made from ``BROKER_PUBLIC_URL``, or else from ``REDIS_URL`` without the query string, whose TLS options name
    files of this machine.
    """
    parts = urlsplit(str(settings.BROKER_PUBLIC_URL or settings.REDIS_URL))
    if not settings.BROKER_PUBLIC_URL:
        parts = parts._replace(query="")
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user)}:{quote(password, safe='')}@{place}"))


@contextmanager
def _site_connection() -> Iterator[redis.Redis]:
    """Yield a connection to the broker as the site's user; its errors become BrokerRefused."""
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS) as broker:
            yield broker
    except (redis.RedisError, ValueError) as error:  # ValueError: REDIS_URL is no URL of Redis
        raise BrokerRefused(f"The broker has not done it: {broker_error(settings.REDIS_URL, error)}") from error


def _save(broker: redis.Redis) -> None:
    """Have the broker write its users to its ACL file, so that they outlast its restart."""
    try:
        broker.acl_save()
    except redis.ResponseError as error:
        # The broker has no ACL file. After its restart `manage.py hosts restore` restores the users.
        log.warning("broker_users_not_saved", error=str(error))
