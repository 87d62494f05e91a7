"""The users of the broker that hosts play as: made, switched off and brought back while the broker runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

import redis
import structlog
from django.conf import settings

from wire.jobs import REPORT_QUEUE
from wire.redis_acl import broker_rights
from wire.tls import broker_error

TIMEOUT_SECONDS = 5
REPORTS_MAX = 10_000
"""More reports wait only in a flood: a site that serves 200 workers has no more to say in half a minute."""

log = structlog.get_logger(__name__)


class BrokerRefused(Exception):  # noqa: N818 - says what happened
    """The broker could not be asked, or its site user may not make others. Its text is a whole sentence."""


def users_read() -> None:
    """Have the broker read its file of users anew: an upgrade, or a new password, may have changed it while it ran.

    Otherwise it would know nothing of that, and write back what was there before as soon as a host is let in.

    Raises:
        BrokerRefused: it could not be asked.
    """
    with _site_connection() as broker:
        try:
            broker.acl_load()
        except redis.ResponseError as error:  # it has no such file, or a broken one, which it does not take
            log.warning("broker_users_not_read", error=str(error))


def user_allow(*, user: str, digest: str) -> None:
    """Let a user in with one password and the rights of a playing worker, whatever it was before.

    Args:
        user: its name.
        digest: SHA-256 of its password, 64 hexadecimal digits: no password ever stands in the broker's log.

    Raises:
        BrokerRefused: it could not be made.
    """
    with _site_connection() as broker:
        # The library's own method knows no rights in brackets (selectors); its general one has no types.
        rules = ("reset", "on", f"#{digest}", *broker_rights(user))
        broker.execute_command("ACL", "SETUSER", user, *rules)  # type: ignore[no-untyped-call]
        _save(broker)


def user_deny(*, user: str) -> None:
    """Let a user in no more, end its connections, and forget the flood of reports if there is one.

    Nobody can tell whose reports are in the flood, so those of others are forgotten, too: what they told is done again
    when their leases have run out. The attack this stops: a million reports keep managers busy for hours after their
    sender has gone, and neither results nor sweeps come through.

    Raises:
        BrokerRefused: it could not be done.
    """
    with _site_connection() as broker:
        # Deleting a user ends its connections too; "off" alone would leave whoever is inside.
        broker.acl_deluser(user)
        _save(broker)
        _flood_forget(broker)


def _flood_forget(broker: redis.Redis) -> None:
    waiting = broker.llen(REPORT_QUEUE)
    if waiting > REPORTS_MAX:
        log.warning("reports_forgotten", reports=waiting)
        broker.delete(REPORT_QUEUE)


def address_for(*, user: str, password: str) -> str:
    """Return the address under which a host signs in at the broker.

    From ``REDIS_URL`` without its options of TLS: they name files of this machine.
    """
    parts = urlsplit(str(settings.BROKER_PUBLIC_URL)) if settings.BROKER_PUBLIC_URL else _own_address()
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user)}:{quote(password, safe='')}@{place}"))


def _own_address() -> SplitResult:
    return urlsplit(str(settings.REDIS_URL))._replace(query="")


@contextmanager
def _site_connection() -> Iterator[redis.Redis]:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS) as broker:
            yield broker
    except (redis.RedisError, ValueError) as error:  # ValueError: no address is configured
        raise BrokerRefused(f"The broker has not done it: {broker_error(settings.REDIS_URL, error)}") from error


def _save(broker: redis.Redis) -> None:
    """Have the broker keep its users over a restart of its own."""
    try:
        broker.acl_save()
    except redis.ResponseError as error:
        # A broker without an aclfile: `manage.py hosts restore` brings the users back, the administrators' guide says.
        log.warning("broker_users_not_saved", error=str(error))
