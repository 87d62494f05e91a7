"""Gives each key that a host may make in the broker a time-to-live, whatever the host has asked for."""

from __future__ import annotations

from redis import Redis

from jobs.celery_app import app
from wire.jobs import SELF_PING_PREFIX
from wire.live import LIVE_PREFIX, STREAM_SECONDS
from wire.redis_acl import BINDINGS_PREFIX
from wire.tables import ANSWERS_PREFIX, SEAT_PREFIX, TABLE_KEY_SECONDS

_NAMED_BY_HOSTS = (LIVE_PREFIX.encode(), SELF_PING_PREFIX.encode(), BINDINGS_PREFIX.encode())
_TABLES = (SEAT_PREFIX.encode(), ANSWERS_PREFIX.encode())
"""Prefixes of keys of tables, of seats and of answers: a host can make the former, and keep the latter for ever."""
KEYS_AT_ONCE = 1_000
STEPS_MAX = 50
"""The most steps of a sweep, each over ``KEYS_AT_ONCE`` keys. The broker of a usual arena takes a few; when a host has
flooded it, the next sweep goes on where this one stopped."""

_cursors: dict[str, int] = {}
"""For each URL of a broker, the Redis cursor at which the last sweep of this process stopped."""


def streams_sweep() -> None:
    """Set a time-to-live on live streams, keys of tables, self-ping queues and kombu's bindings.

    It is the one that honest workers set; a shorter one stays.

    The attack: a host creates streams of any names without a time-to-live, and they fill the broker for ever, even when
    the host has long been shut out.

    Raises:
        redis.exceptions.RedisError: the broker could not be reached.
    """
    url = app.conf.broker_url
    with Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as broker:
        cursor = _cursors.get(url, 0)
        for _ in range(STEPS_MAX):
            cursor, keys = broker.scan(cursor, count=KEYS_AT_ONCE)
            _cursors[url] = cursor
            with broker.pipeline(transaction=False) as pipe:
                for key in keys:
                    if key.startswith(_NAMED_BY_HOSTS):
                        pipe.expire(key, STREAM_SECONDS, lt=True)  # never later than what is set already
                    elif key.startswith(_TABLES):
                        pipe.expire(key, TABLE_KEY_SECONDS, lt=True)
                pipe.execute()
            if not cursor:
                break
