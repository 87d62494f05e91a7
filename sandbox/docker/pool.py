"""Containers started ahead: the engine takes ten times as long to start one as a bot takes to start in it."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from queue import SimpleQueue

from sandbox.api import Limits, PlatformFault
from sandbox.docker.container import Container

LIMITS_MAX = 4
"""For so many tables of limits containers wait, those asked for last: games may have tables of their own."""

log = logging.getLogger(__name__)


class Pool:
    """Keeps containers waiting for the limits that are in use. One is given out once and never comes back.

    For each that is asked for, another is started behind it, so limits that are used once make one wait for nothing.

    Args:
        make: Starts a container.
        size: How many wait at most, of each table of limits.
    """

    def __init__(self, make: Callable[[Limits], Container], size: int) -> None:
        self._make, self._size = make, size
        self._waiting: dict[Limits, deque[Container]] = {}  # the limits asked for last stand last
        self._lock = threading.Lock()
        self._orders: SimpleQueue[Limits | None] = SimpleQueue()
        self._filler: threading.Thread | None = None

    def take(self, limits: Limits) -> Container:
        """Return a container with these limits, one that waits if there is any.

        Raises:
            PlatformFault: none waits, and none could be started.
        """
        waiting = self._pop(limits)
        if self._size:
            self._order(limits)
        return waiting or self._make(limits)

    def close(self) -> None:
        """End all that wait. Taking one begins anew."""
        if self._filler:
            self._orders.put(None)
            self._filler.join()
            self._filler = None
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        _end(waiting.values())

    def _pop(self, limits: Limits) -> Container | None:
        with self._lock:
            waiting = self._waiting[limits] = self._waiting.pop(limits, deque())
            while waiting:
                container = waiting.popleft()
                if container.alive():
                    return container
                container.destroy()  # the engine was restarted, for one
        return None

    def _order(self, limits: Limits) -> None:
        if not self._filler:
            # A daemon: a process that ends need not wait for it, and what waits ends with the process by itself.
            self._filler = threading.Thread(target=self._fill, name="containers ahead", daemon=True)
            self._filler.start()
        self._orders.put(limits)

    def _fill(self) -> None:
        while (limits := self._orders.get()) is not None:
            try:
                self._retire()
                if self._has_room(limits):
                    self._add(limits, self._make(limits))
            except PlatformFault as fault:  # whoever needs a container next is told by its own attempt
                log.warning("No container could be started ahead: %s", fault)

    def _retire(self) -> None:
        """End those for limits that nobody has asked for in a while."""
        with self._lock:
            old = list(self._waiting)[:-LIMITS_MAX]
            retired = [self._waiting.pop(limits) for limits in old]
        _end(retired)

    def _has_room(self, limits: Limits) -> bool:
        with self._lock:
            return limits in self._waiting and len(self._waiting[limits]) < self._size

    def _add(self, limits: Limits, container: Container) -> None:
        with self._lock:
            self._waiting.setdefault(limits, deque()).append(container)


def _end(waiting: Iterable[deque[Container]]) -> None:
    """End them all, also when one does not die: nobody else knows of them any more."""
    with ExitStack() as ends:
        for containers in waiting:
            for container in containers:
                ends.callback(container.destroy)
