"""Gives each key that a host may make in the broker a time-to-live, whatever the host has asked for."""

from __future__ import annotations

from redis import Redis

from jobs.celery_app import app
from wire.jobs import SELF_PING_PREFIX
from wire.live import LIVE_PREFIX, STREAM_SECONDS
from wire.redis_acl import BINDINGS_PREFIX

_NAMED_BY_HOSTS = (LIVE_PREFIX.encode(), SELF_PING_PREFIX.encode(), BINDINGS_PREFIX.encode())
KEYS_AT_ONCE = 1_000
STEPS_MAX = 50
"""Of so many keys each. A broker of a usual arena is done in a few; in a flood the next sweep goes on."""

_places: dict[str, int] = {}
"""By broker, where the last sweep of this process has stopped."""


def streams_sweep() -> None:
    """Have streams, queues of echoes, and kombu's notes of who hears orders, end when those of a worker of ours would.

    The attack this stops: a host adds to streams of any names, never says when they end, and the broker is full of them
    for ever, also when the host has long been turned away.

    Raises:
        redis.exceptions.RedisError: the broker could not be asked.
    """
    url = app.conf.broker_url
    with Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as broker:
        place = _places.get(url, 0)
        for _ in range(STEPS_MAX):
            place, keys = broker.scan(place, count=KEYS_AT_ONCE)
            _places[url] = place
            _end([key for key in keys if key.startswith(_NAMED_BY_HOSTS)], broker)
            if not place:
                break


def _end(keys: list[bytes], broker: Redis) -> None:
    with broker.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.expire(key, STREAM_SECONDS, lt=True)  # what would end sooner does
        pipe.execute()
