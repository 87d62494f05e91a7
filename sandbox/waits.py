"""How long a program has waited for a core in its turns, and how long it has rested: neither computed nor waited."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sandbox.cgroups import Group
from sandbox.machine import referee_ms, referee_waited_ms

LOOK_MS = 10
"""Turns that took no longer together are not looked into: that takes 50 us and more."""


class Thread(NamedTuple):
    """What the kernel tells of one thread, by which all its life is counted (CONFIG_SCHED_INFO)."""

    ran_ms: float
    waited_ms: float
    """How long it was ready to run and got no core."""


class Waits:
    """Counts what a program waits through no doing of its own.

    The attack: a bot that is about to lose lets its own threads keep each other waiting, or keeps the referee busy on
    its core, so that the match is played again. A thread waits for other threads of its program no longer than these
    run, and for the referee no longer than that runs: both are taken off. Of a thread that has ended nothing is known.
    """

    def __init__(self, group: Group) -> None:
        self._group = group
        self._threads = _threads(group)
        self._forget()

    def turn_begins(self) -> None:
        """Take the time of the referee."""
        self._referee_ms -= referee_ms()

    def turn_ends(self, wall_ms: float, cpu_ms: float) -> tuple[float, float]:
        """Return how many milliseconds it has waited in this turn, and rested since they were returned last.

        Args:
            wall_ms: what the turn took.
            cpu_ms: the CPU time of the whole program in it.
        """
        self._referee_ms += referee_ms()
        self._wall_ms += wall_ms
        self._cpu_ms += cpu_ms
        if self._wall_ms < LOOK_MS:
            return 0.0, 0.0
        before, self._threads = self._threads, _threads(self._group)
        waited_ms = max((self._waited_ms(now, before.get(pid)) for pid, now in self._threads.items()), default=0.0)
        waited_ms = min(max(waited_ms, 0.0), self._wall_ms)
        rested_ms = self._wall_ms - self._cpu_ms - waited_ms - (referee_waited_ms() - self._referee_waited_ms)
        before_ms = self._wall_ms - wall_ms  # of turns that were not looked into, all may have been waiting
        in_this_turn_ms = waited_ms - before_ms
        self._forget()
        return max(in_this_turn_ms, 0.0), max(rested_ms, 0.0)

    def _waited_ms(self, now: Thread, before: Thread | None) -> float:
        """Return how long a thread has waited for others than its own program and the referee."""
        before = before or Thread(0.0, 0.0)
        of_others_ms = self._cpu_ms - (now.ran_ms - before.ran_ms)
        return now.waited_ms - before.waited_ms - max(of_others_ms, 0.0) - self._referee_ms

    def _forget(self) -> None:
        self._wall_ms, self._cpu_ms, self._referee_ms = 0.0, 0.0, 0.0
        self._referee_waited_ms = referee_waited_ms()


def _threads(group: Group) -> dict[int, Thread]:
    """Return all live threads of a group by their numbers; none where the kernel does not count."""
    threads = {}
    for pid in group.pids():
        with suppress(OSError):  # it has just ended
            for thread in os.listdir(f"/proc/{pid}/task"):
                ran_ns, waited_ns, _ = map(int, Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split())
                threads[int(thread)] = Thread(ran_ns / 1e6, waited_ns / 1e6)
    return threads
