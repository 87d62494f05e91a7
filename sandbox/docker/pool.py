"""Starts containers in advance: an engine takes ten times as long to start one as a bot takes to start in it."""

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
"""Number of sets of limits that the pool keeps containers for, those used last: a game may define its own limits."""

log = logging.getLogger(__name__)


class Pool:
    """Keeps started containers for the limits that are in use. Each container is used once.

    Whenever a container is taken, a thread starts (``make``) another one with the same limits; ``size`` are kept for
    each set of limits.
    """

    def __init__(self, make: Callable[[Limits], Container], size: int) -> None:
        self._make, self._size = make, size
        self._waiting: dict[Limits, deque[Container]] = {}  # in the order in which the limits were used last
        self._lock = threading.Lock()
        self._orders: SimpleQueue[Limits | None] = SimpleQueue()
        self._filler: threading.Thread | None = None

    def take(self, limits: Limits) -> Container:
        """Return a container with these limits: a kept one, or else a new one.

        Raises:
            PlatformFault: a new container could not be started.
        """
        waiting = self._pop(limits)
        if self._size:
            self._order(limits)
        return waiting or self._make(limits)

    def close(self) -> None:
        """End all kept containers. ``take`` works as before."""
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
                container.destroy()  # it has ended meanwhile, for example because the engine was restarted
        return None

    def _order(self, limits: Limits) -> None:
        if not self._filler:
            # A daemon thread, so that this process can end at any time; the kept containers end with this process.
            self._filler = threading.Thread(target=self._fill, name="containers ahead", daemon=True)
            self._filler.start()
        self._orders.put(limits)

    def _fill(self) -> None:
        while (limits := self._orders.get()) is not None:
            try:
                # End the containers for all but the ``LIMITS_MAX`` limits that were used last.
                with self._lock:
                    old = list(self._waiting)[:-LIMITS_MAX]
                    retired = [self._waiting.pop(limits) for limits in old]
                _end(retired)
                with self._lock:
                    is_wanted = limits in self._waiting and len(self._waiting[limits]) < self._size
                if is_wanted:
                    self._add(limits, self._make(limits))
            except PlatformFault as fault:  # the next ``take`` raises the same fault, if the cause persists
                log.warning("No container could be started ahead: %s", fault)

    def _add(self, limits: Limits, container: Container) -> None:
        with self._lock:
            self._waiting.setdefault(limits, deque()).append(container)


def _end(waiting: Iterable[deque[Container]]) -> None:
    """End all containers, even if one of them raises a fault."""
    with ExitStack() as ends:
        for containers in waiting:
            for container in containers:
                ends.callback(container.destroy)
