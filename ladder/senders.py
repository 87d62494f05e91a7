"""Which worker a report is of: what it calls itself, under the host that has signed it.

Workers of one user of the broker may take each other's names: they share its password. Those of an invited host have a
user of their own, and stand under its name: ``north/play@raspberrypi``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import redis

from ladder.celery import app
from workers.jobs import Message
from workers.signing import HOST_PREFIX, Signature, broker_user, is_signed
from workers.transport import Refused, receives

WORKER_CHARS_MAX = 100
"""Of the name of a worker with that of its host."""
KEYS_SECONDS = 30
"""So long keys are remembered; reports of a host that was turned away in that time may still count."""
TIMEOUT_SECONDS = 5


R = TypeVar("R", bound=Message)
_keys: dict[str, tuple[float, list[str]]] = {}
"""By user: until when they are good, and its keys. Only users that there are: nobody fills it with others."""


def reports(
    task: str, kind: type[R], **options: Any
) -> Callable[[Callable[[R], None]], Callable[[dict[str, Any]], None]]:
    """Register the decorated function as the handler of a task's reports, which are signed.

    Args:
        task: as of ``receives``.
        kind: as of ``receives``.
        options: as of ``receives``.
    """
    return receives(app, task, kind, signed=report_signed, **options)


def report_signed(report: Any, task: str, body: dict[str, Any], signature: Signature | None) -> Any:
    """Return a report with the whole name of its worker.

    Args:
        report: one of the messages of ``workers.jobs`` that name their worker.
        task: of the message.
        body: as it came.
        signature: that came with it.

    Raises:
        Refused: the broker has users, and none of them has signed this, or another than it says.
        OSError: the broker could not be asked.
    """
    site_url = app.conf.broker_url
    if not broker_user(site_url):  # nor does any worker have one: there is nobody to be told apart
        return report
    if signature is None or not _is_of_its_user(signature, task, body):
        raise Refused(f"No user of the broker has signed the report of {report.worker}; upgrade its workers.")
    if getattr(report, "broker_user", signature.user) != signature.user:
        raise Refused(f"The user of the broker {signature.user} has signed the report of another.")
    return _named(report, signature.user)


def _named(report: Any, user: str) -> Any:
    if user.startswith(HOST_PREFIX):
        whole = f"{user.removeprefix(HOST_PREFIX)}/{report.worker}"[:WORKER_CHARS_MAX]
        return msgspec.structs.replace(report, worker=whole)
    if "/" in report.worker:
        raise Refused(f"{report.worker} is the name of a worker of an invited host, which {user} is not.")
    return report


def worker_node(worker: str) -> str:
    """Return what a worker calls itself, from its whole name."""
    return worker.rpartition("/")[2]


def _is_of_its_user(signature: Signature, task: str, body: dict[str, Any]) -> bool:
    ends, keys = _keys.get(signature.user, (0.0, []))
    if time.monotonic() < ends and _is_signed_by_any(signature, keys, task, body):
        return True
    keys = _keys_of(signature.user)
    if keys:
        _keys[signature.user] = time.monotonic() + KEYS_SECONDS, keys
    return _is_signed_by_any(signature, keys, task, body)


def _is_signed_by_any(signature: Signature, keys: list[str], task: str, body: dict[str, Any]) -> bool:
    return any(is_signed(signature, key, task, body) for key in keys)


def _keys_of(user: str) -> list[str]:
    """Return the SHA-256 of each password of a user, as the broker keeps them; none if there is no such user.

    Raises:
        ConnectionError: the broker could not be asked.
    """
    try:
        told = _broker(app.conf.broker_url).acl_getuser(user)
    except redis.RedisError as error:
        raise ConnectionError(f"The broker does not tell of its users: {error}") from error
    return msgspec.convert(told["passwords"], list[str]) if told else []


@lru_cache(maxsize=1)
def _broker(url: str) -> redis.Redis:
    """Return a connection that stays: a host that signs as nobody must not have one made for each of its reports."""
    return redis.Redis.from_url(url, socket_timeout=TIMEOUT_SECONDS)
