"""Compares this machine's clock with the broker's."""

from __future__ import annotations

import time

from redis import Redis, RedisError

from wire.transport import CLOCKS_APART_SECONDS

_TIMEOUT_SECONDS = 5


def clock_fault(broker_url: str) -> str:
    """Return a sentence if this machine's clock differs too much from the broker's, with what to do about it.

    A worker with a wrong clock treats jobs as expired, or the site treats its heartbeats so. Each of its matches then
    has no result after three leases, while nothing looks wrong at the worker. If a managing machine's clock is wrong,
    the same happens to all workers. The text is empty if the clocks agree, or if the broker cannot be reached.
    """
    try:
        with Redis.from_url(broker_url, socket_timeout=_TIMEOUT_SECONDS) as broker:
            seconds, _ = broker.time()
    except RedisError:
        return ""
    apart_seconds = time.time() - int(seconds)
    if abs(apart_seconds) <= CLOCKS_APART_SECONDS:
        return ""
    which = "ahead of" if apart_seconds > 0 else "behind"
    apart = f"The clock of this machine is {abs(apart_seconds) / 60:,.0f} minutes {which} the broker's"
    return f"{apart}: set the wrong one of the two, for instance by `timedatectl set-ntp true`."
