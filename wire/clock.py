"""Whether the clock of this machine is one to play by."""

from __future__ import annotations

import time

from redis import Redis, RedisError

from wire.transport import CLOCKS_APART_SECONDS

_TIMEOUT_SECONDS = 5


def clock_fault(broker_url: str) -> str:
    """Compare this machine's clock with the broker's.

    If a worker's clock is wrong, it takes jobs for expired, or its signs of life are taken for that. Each match that it
    takes then lasts until the lease has run out, three times, and has no result, while nothing looks wrong at the
    worker. If it is a managing machine's clock, the same happens to all workers.

    Args:
        broker_url: address of the broker.

    Returns:
        What is wrong and what to do about it; empty if nothing is, or the broker is away, which is waited for.
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
