"""Managers: which are at work, and whether the reports of workers pile up behind them.

Both are keys of the broker, since no manager may be able to look at the database just then.
"""

from __future__ import annotations

import math
import os
import socket
import time
from dataclasses import dataclass
from functools import cache

from redis import Redis

from wire.jobs import REPORT_QUEUE

REPORTS_FEW = 100
"""This many reports may come at once when a fleet's matches end together; a manager handles them within a second."""
BEHIND_SECONDS = 30
"""Managers are behind when more than ``REPORTS_FEW`` have waited all this time."""
GROWTH_MAX = 2
"""Largest factor by which the wanted number of managers exceeds the present one."""
SEEN_SECONDS = 60
"""A manager without a sign of life for this time does not count. One that computes ratings gives none meanwhile."""
_SIGN_SECONDS = 5
_SINCE_KEY = "reports.since"
_SEEN_KEY = "managers"


@dataclass(frozen=True, slots=True)
class Managing:
    """The managers and what waits for them, at one moment."""

    managers: int
    """How many managers are at work."""
    reports: int
    """How many reports of workers wait."""
    seconds: float
    """For how long there have been more than ``REPORTS_FEW``; 0: there are not."""

    @property
    def is_behind(self) -> bool:
        """Whether results wait because there are too few managers, or because they are slow."""
        return self.seconds >= BEHIND_SECONDS

    @property
    def wanted(self) -> int:
        """How many managers there should be: those at work, or up to ``GROWTH_MAX`` times them as the backlog ages."""
        present = max(self.managers, 1)
        return max(present, min(math.ceil(present * self.seconds / BEHIND_SECONDS), GROWTH_MAX * present))


def managing_now(broker: Redis) -> Managing:
    """Count managers and waiting reports, and note in the broker since when reports pile up; raises ``RedisError``."""
    reports, now = int(broker.llen(REPORT_QUEUE)), time.time()
    with broker.pipeline(transaction=False) as pipe:
        pipe.zcount(_SEEN_KEY, now - SEEN_SECONDS, "+inf")
        if reports > REPORTS_FEW:
            pipe.set(_SINCE_KEY, now, nx=True)
            pipe.get(_SINCE_KEY)
        else:
            pipe.delete(_SINCE_KEY)
        managers, *_noted, since = pipe.execute()
    # A time in the future was noted before the clock was set back.
    seconds = max(now - float(since), 0.0) if reports > REPORTS_FEW else 0.0
    return Managing(int(managers), reports, seconds)


class SignsOfLife:
    """Gives a manager's signs of life, every few seconds at most."""

    def __init__(self) -> None:
        self._given_at = -math.inf

    def give(self, broker_url: str) -> None:
        """Note in the broker that this process is at work; forget managers that have ended. Raises ``RedisError``."""
        if time.monotonic() - self._given_at < _SIGN_SECONDS:
            return
        now = time.time()
        with _broker(broker_url).pipeline() as pipe:
            pipe.zadd(_SEEN_KEY, {f"{socket.gethostname()}.{os.getpid()}": now})
            pipe.zremrangebyscore(_SEEN_KEY, "-inf", now - SEEN_SECONDS)
            pipe.execute()
        managing_now(_broker(broker_url))  # a backlog is noted although nobody asks for the site's health
        self._given_at = time.monotonic()


@cache
def _broker(url: str) -> Redis:
    return Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
