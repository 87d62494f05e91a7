"""Detects a worker that is connected to the broker, but receives no messages any more.

It happens after reconnects to Redis (celery issues 8030, 8091, 8384): the process answers Celery's ping, but never
takes a job again. So the worker sends messages to its own queue, *self-pings*, which pass through the broker, the
consumer and a process of the pool like a job.
"""

from __future__ import annotations

INTERVALS_MAX = 6
"""After this many intervals in a row without an expected ping, a worker counts as unreachable."""


class SelfPingMonitor:
    """Counts the intervals in a row in which a worker should have received a self-ping and has not."""

    def __init__(self) -> None:
        self._received = 0
        self._missed = 0

    @property
    def is_receiving(self) -> bool:
        """Whether the last interval missed no expected ping."""
        return self._missed == 0

    def is_unreachable(self, *, received: int, expected: bool) -> bool:
        """Count an interval, and return True if the worker receives nothing any more.

        Args:
            received: how many pings have come back since the worker started.
            expected: whether one should have come in this interval: it was sent, and no job kept all processes busy.
        """
        if received != self._received or not expected:
            self._received, self._missed = received, 0
        else:
            self._missed += 1
        return self._missed >= INTERVALS_MAX
