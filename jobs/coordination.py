"""State that managing processes share in the broker (Redis): locks, times of the last sweep, the manager's fault.

Every key expires. When the broker loses its data all keys are gone: then work may be done twice, but none is lost or
done wrong. Redis expires keys by the machine's clock: when that is set back by an hour, a key lives an hour longer.
Therefore the values contain the time at which they were written, and a time in the future does not count.

Each function takes the site's Celery application, whose broker it asks, and raises ``redis.exceptions.RedisError`` if
the broker cannot be reached, or refuses a write.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from celery import Celery
from redis import Redis

from jobs.managers import REPORTS_FEW
from wire.heartbeats import ReceivedHeartbeat, heartbeats_take, over_write
from wire.jobs import REPORT_QUEUE, SITE_KEY
from wire.transport import BROKER_SCHEMES, is_url

MANAGER_FAULT_KEY = "manager.fault"
"""Key of the sentence that says why a manager could not do its work just now."""
_FAULT_SECONDS = 30
_KEYS_AT_ONCE = 100
"""About how many keys of the broker each step looks at, to find heartbeats. The heartbeats that one manager has taken,
and not handled yet, must be few: another manager may end their leases meanwhile."""
_STEPS_MAX = 500
"""The most steps of a call; a usual arena takes a few."""
_cursors: dict[str, int] = {}
"""For each URL of a broker, the Redis cursor at which this process stopped looking for heartbeats."""


@contextmanager
def listened_without_pause(app: Celery, name: str, *, pause_seconds: float) -> Iterator[bool]:
    """Yield whether this block last ran less than ``pause_seconds`` ago; record that it runs when it ends well.

    The record is a key that expires. It is gone when the broker or all callers were away for longer, and when the
    broker lost its data. A block that raises writes no record: if the database is away, no report can be stored. A
    record from the future counts as a pause: the clock was set back, and leases that were given by the old time would
    last until it has come again.

    Each caller with a timetable of its own needs a ``name`` of its own.
    """
    broker, key = _broker(app.conf.broker_url), f"listening.{name}"
    written_at = broker.get(key)
    yield written_at is not None and not _is_in_future(written_at, slack_seconds=pause_seconds)
    broker.set(key, time.time(), px=round(pause_seconds * 1_000))


@contextmanager
def redis_lock(app: Celery, name: str, *, seconds_max: float, rest: float) -> Iterator[bool]:
    """Yield whether the caller got the lock of a task that takes long; afterwards nobody gets it for a while.

    The lock is a key that expires after ``seconds_max``, since its holder may have died. Two processes may hold it at
    once when the broker loses the key, or when the task takes longer. After the block the lock stays taken
    for ``rest`` times as long as the block took.
    """
    broker, key, begun = _broker(app.conf.broker_url), f"turn.{name}", time.monotonic()
    if (written_at := broker.get(key)) and _is_in_future(written_at, slack_seconds=seconds_max):
        broker.delete(key)
    mine = bool(broker.set(key, time.time(), nx=True, px=round(seconds_max * 1_000)))
    try:
        yield mine
    finally:
        if mine:
            broker.set(key, time.time(), px=max(round(rest * (time.monotonic() - begun) * 1_000), 1))


def missing_for(app: Celery, queue: str, missing: Set[int], *, for_seconds: float, within_seconds: float) -> set[int]:
    """Record which rows' messages are missing from a queue now; return those that have been missing long enough.

    ``missing`` has the primary keys of the rows. Those that all calls of the last ``for_seconds`` have named
    are returned; after more than ``within_seconds`` without a call the time begins anew. Calls are not counted, since a
    busy site may call twice at once.
    """
    broker, key, now = _broker(app.conf.broker_url), f"missing.{queue}", time.time()
    record = broker.get(key)
    before = msgspec.json.decode(record if isinstance(record, bytes) else b"{}", type=dict[int, float])
    since = {pk: before.get(pk, now) for pk in missing}
    broker.set(key, msgspec.json.encode(since), px=round(within_seconds * 1_000))
    # A time in the future was recorded before the clock was set back.
    return {pk for pk, first in since.items() if abs(now - first) >= for_seconds}


def manager_fault_set(app: Celery, sentence: str) -> None:
    """Store for half a minute why a manager could not do its work, for the health page."""
    _broker(app.conf.broker_url).set(MANAGER_FAULT_KEY, sentence, ex=_FAULT_SECONDS)


def queue_length(app: Celery, queue: str) -> int:
    """Return how many messages wait in a queue; those that a worker has already taken are not counted."""
    return int(_broker(app.conf.broker_url).llen(queue))


def reports_pile_up(app: Celery) -> bool:
    """Return whether more than a few reports wait for managers; False for an application without a broker."""
    return is_url(app.conf.broker_url, *BROKER_SCHEMES) and queue_length(app, REPORT_QUEUE) > REPORTS_FEW


def heartbeats_received(app: Celery) -> Iterator[ReceivedHeartbeat]:
    """Take the heartbeats from the broker and yield them, each once, however many managers do so.

    A call stops after ``_STEPS_MAX`` steps, since a host may flood the broker with keys; the next call goes on there.
    """
    url = app.conf.broker_url
    cursor = _cursors.get(url, 0)
    for _ in range(_STEPS_MAX):
        cursor, heartbeats = heartbeats_take(_broker(url), cursor, count=_KEYS_AT_ONCE)
        _cursors[url] = cursor
        yield from heartbeats
        if not cursor:
            return


def leases_end(app: Celery, lease_tokens: Sequence[str]) -> None:
    """Tell workers that their leases have ended; without effect for an application without a broker."""
    if is_url(app.conf.broker_url, *BROKER_SCHEMES):
        over_write(_broker(app.conf.broker_url), lease_tokens)


def broker_user_keys(app: Celery, user: str) -> list[str]:
    """Return the SHA-256 of each password of a broker user, its signing keys (``wire.signing``); [] if unknown."""
    entry: Any = _broker(app.conf.broker_url).acl_getuser(user)
    return list(entry["passwords"]) if entry else []


def site_key_publish(app: Celery, key: bytes) -> None:
    """Store the public key of the site in the broker, where workers read it."""
    _broker(app.conf.broker_url).set(SITE_KEY, key)


def _is_in_future(written_at: Any, *, slack_seconds: float) -> bool:
    """Return whether a Unix time lies in the future, which means that the clock was set back since it was stored.

    The clocks of two managers may differ by ``slack_seconds``.
    """
    return float(written_at) > time.time() + slack_seconds


@cache
def _broker(url: str) -> Redis:
    """Return the cached client of a broker: to connect takes longer than to ask."""
    return Redis.from_url(url, socket_connect_timeout=5)
