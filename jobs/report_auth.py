"""Which worker a report is of: what it calls itself, under the host that has signed it.

Workers of one user of the broker may take each other's names: they share its password. Those of an invited host have a
user of their own, and stand under its name: ``north/play@raspberrypi``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from jobs.celery_app import app
from jobs.coordination import user_keys
from wire.jobs import Message
from wire.signing import Signature, broker_user, host_of, is_signed
from wire.transport import Refused, receives

WORKER_CHARS_MAX = 100
"""Of the name of a worker with that of its host."""
KEYS_SECONDS = 30
"""So long keys are remembered; reports of a host that was turned away in that time may still count."""

R = TypeVar("R", bound=Message)
_keys: dict[str, tuple[float, list[str]]] = {}
"""By user: until when they are good, and its keys. Only users that there are: nobody fills it with others."""


def reports(task: str, kind: type[R], **options: Any) -> Callable[[Callable[[R], None]], Callable[..., None]]:
    """Register the decorated function as the handler of a task's reports, which are signed.

    Args:
        task: as of ``receives``.
        kind: as of ``receives``.
        options: as of ``receives``.
    """
    return receives(app, task, kind, signed=report_signed, **options)


def report_signed(report: Any, task: str, body: bytes, signature: Signature | None) -> Any:
    """Return a report with the whole name of its worker.

    Args:
        report: one of the messages of ``wire.jobs`` that name their worker.
        task: of the message.
        body: as it came.
        signature: that came with it.

    Raises:
        Refused: the broker has users, and none of them has signed this, or another than it says.
        redis.exceptions.ConnectionError: the broker could not be asked.
    """
    if not broker_user(app.conf.broker_url):  # nor does any worker have one: there is nobody to be told apart
        return report
    if signature is None or not _is_of_its_user(signature, task, body):
        raise Refused(f"No user of the broker has signed the report of {report.worker}; upgrade its workers.")
    if getattr(report, "broker_user", signature.user) != signature.user:
        raise Refused(f"The user of the broker {signature.user} has signed the report of another.")
    return _named(report, signature.user)


def _named(report: Any, user: str) -> Any:
    if host := host_of(user):
        whole = f"{host}/{report.worker}"[:WORKER_CHARS_MAX]
        return msgspec.structs.replace(report, worker=whole)
    if "/" in report.worker:
        raise Refused(f"{report.worker} is the name of a worker of an invited host, which {user} is not.")
    return report


def worker_node(worker: str) -> str:
    """Return what a worker calls itself, from its whole name."""
    return worker.rpartition("/")[2]


def worker_host(worker: str) -> str:
    """Return the invited host of a worker, from its whole name; empty if it is of none."""
    return worker.partition("/")[0] if "/" in worker else ""


def _is_of_its_user(signature: Signature, task: str, body: bytes) -> bool:
    ends, keys = _keys.get(signature.user, (0.0, []))
    if time.monotonic() < ends and _is_signed_by_any(signature, keys, task, body):
        return True
    keys = user_keys(app, signature.user)
    if keys:
        _keys[signature.user] = time.monotonic() + KEYS_SECONDS, keys
    return _is_signed_by_any(signature, keys, task, body)


def _is_signed_by_any(signature: Signature, keys: list[str], task: str, body: bytes) -> bool:
    return any(is_signed(signature, key, task, body) for key in keys)
