"""Tells a worker that is alive but deaf: connected, and yet nothing that is put into its queues reaches it.

Seen after reconnects to Redis (celery issues 8030, 8091, 8384): the process answers a ping and takes no job ever after.
So a ping proves nothing here. What counts is a message of its own, an *echo*, that has gone through the broker, the
consumer and a process of the pool.
"""

from __future__ import annotations

INTERVALS_MAX = 6
"""So many intervals in a row without an echo are no coincidence."""


class Hearing:
    """Counts the intervals in which a worker should have heard an echo and has not."""

    def __init__(self) -> None:
        self.heard = 0
        """Echoes until the last interval."""
        self._missed = 0

    @property
    def hears(self) -> bool:
        """Whether no echo is missing."""
        return self._missed == 0

    def is_deaf(self, *, heard: int, expected: bool) -> bool:
        """Note how an interval was.

        Args:
            heard: echoes that came back since the worker started.
            expected: whether one should have come: it had been sent, and no job kept the worker from taking it.

        Returns:
            Whether the worker takes nothing any more.
        """
        if heard != self.heard or not expected:
            self.heard, self._missed = heard, 0
        else:
            self._missed += 1
        return self._missed >= INTERVALS_MAX
