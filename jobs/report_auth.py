"""Checks who signed a report, and gives its worker its full name.

Each host signs its reports with the password of its own user of the broker. The full name of a worker of an invited
host starts with the name of that host: ``north/play@raspberrypi``. So no host can report as another host's worker.
Workers that share one user share its password, and may take each other's names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from django.db import InternalError, OperationalError
from redis import exceptions

from common.errors import StoreAway
from jobs.celery_app import app
from jobs.coordination import broker_user_keys
from wire.jobs import WireMessage
from wire.signing import Signature, broker_user, host_of, is_signed
from wire.transport import Refused, receives

WORKER_CHARS_MAX = 100
"""Longest full name of a worker."""
KEYS_SECONDS = 30
"""How long the keys of a user are cached. For that long, reports of a host that was removed may still count."""

R = TypeVar("R", bound=WireMessage)
_keys: dict[str, tuple[float, list[str]]] = {}
"""By user of the broker: when the entry expires, and the user's keys. Only users that exist, so that nobody can
fill the memory."""


_AGAIN: dict[str, Any] = {
    # PostgreSQL raises InternalError while it is read-only: its disk is full, or a standby takes over. OSError and
    # StoreAway come from the file store, the last two from Redis, which holds the keys that reports are signed with.
    "autoretry_for": (
        OperationalError,
        InternalError,
        OSError,
        StoreAway,
        exceptions.ConnectionError,
        exceptions.TimeoutError,
    ),
    "retry_backoff": True,
    # After a database outage each worker has a new lease; a report that arrives after its end is too late.
    "retry_backoff_max": 4,
    "retry_jitter": False,
}
_REPORT_RETRIES_MAX = 17
"""Enough for about a minute, since reports are sent once: a restart of the database or an unreachable file store must
not lose them."""
_HEARTBEAT_RETRIES_MAX = 2
"""Few, since the next heartbeat comes in a few seconds, and heartbeats must not pile up."""


def report_task(
    task: str, kind: type[R], *, retries_max: int = _REPORT_RETRIES_MAX
) -> Callable[[Callable[[R], None]], Callable[..., None]]:
    """Register the decorated function as the handler of a task's signed reports, which are tried again after an outage.

    ``task`` and ``kind`` are as for ``wire.transport.receives``; a report is tried again ``retries_max`` times at most.
    """
    return receives(app, task, kind, signed=report_signed, max_retries=retries_max, **_AGAIN)


HEARTBEAT_HANDLERS: dict[str, Callable[..., None]] = {}
"""The handlers of heartbeats by task (``jobs.services.heartbeats``)."""


def heartbeat_task(task: str, kind: type[R]) -> Callable[[Callable[[R], None]], Callable[..., None]]:
    """Register the decorated function as the handler of signed heartbeats of one kind.

    They come as keys of the broker, and as messages from workers of earlier releases; arguments as for ``report_task``.
    """

    def register(handle: Callable[[R], None]) -> Callable[..., None]:
        HEARTBEAT_HANDLERS[task] = report_task(task, kind, retries_max=_HEARTBEAT_RETRIES_MAX)(handle)
        return HEARTBEAT_HANDLERS[task]

    return register


def report_signed(report: Any, task: str, body: bytes, signature: Signature | None) -> Any:
    """Verify the signature of a report and return the report with the full name of its worker.

    A site that uses the broker without a user checks nothing: its workers have no users either.

    Args:
        report: one of the messages of ``wire.jobs`` that name their worker.
        task: name of the Celery task.
        body: the bytes of the message, which the signature covers.
        signature: the signature of the message; None: it came without one.

    Raises:
        Refused: no user of the broker has signed the report, or not the user or the host that it names.
        redis.exceptions.ConnectionError: the broker could not be asked for the keys of the user.
    """
    if not broker_user(app.conf.broker_url):
        return report
    if signature is None or not _is_of_its_user(signature, task, body):
        raise Refused(f"No user of the broker has signed the report of {report.worker}; upgrade its workers.")
    if getattr(report, "broker_user", signature.user) != signature.user:
        raise Refused(f"The user of the broker {signature.user} has signed the report of another.")
    if host := host_of(signature.user):
        return msgspec.structs.replace(report, worker=f"{host}/{report.worker}"[:WORKER_CHARS_MAX])
    if "/" in report.worker:
        raise Refused(f"{report.worker} is the name of a worker of an invited host, which {signature.user} is not.")
    return report


def _is_of_its_user(signature: Signature, task: str, body: bytes) -> bool:
    """Return whether the named user has signed a message; new keys are fetched when no cached key fits."""
    ends_at, keys = _keys.get(signature.user, (0.0, []))
    if time.monotonic() < ends_at and _is_signed_by_any(signature, keys, task, body):
        return True
    keys = broker_user_keys(app, signature.user)
    if keys:
        _keys[signature.user] = time.monotonic() + KEYS_SECONDS, keys
    return _is_signed_by_any(signature, keys, task, body)


def _is_signed_by_any(signature: Signature, keys: list[str], task: str, body: bytes) -> bool:
    return any(is_signed(signature, key, task, body) for key in keys)
