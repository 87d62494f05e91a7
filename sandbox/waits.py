"""How long a program has waited for a core in its turns, and how long it has rested: neither computed nor waited."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sandbox.cgroups import Group
from sandbox.clock import OTHERS_SHARE
from sandbox.machine import TICK_MS, Load, referee_ms, referee_waited_ms

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
        self._load: Load | None = None
        """What others do on the cores since the turn took ``LOOK_MS``; None: it has not."""
        self._load_cpu_ms = 0.0
        """The program's CPU time when that began."""
        self._forget()

    def turn_begins(self) -> None:
        """Take the time of the referee."""
        self._referee_ms -= referee_ms()
        self._load = None

    def patience_ms(self) -> int:
        """Return how long ``turn_lasts`` can wait: until it is time to begin counting; then for ever."""
        return sys.maxsize if self._load else LOOK_MS

    def turn_lasts(self, passed_ms: float) -> None:
        """Count what others do on the cores, once the turn has taken so long that it will be looked into."""
        if self._load is None and passed_ms >= LOOK_MS:
            self._load, self._load_cpu_ms = Load(), self._group.cpu_ms()

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
        lived = self._threads.keys() & before.keys()  # of the others we do not know what they had waited before
        waited_ms = max((self._waited_ms(self._threads[number], before[number]) for number in lived), default=0.0)
        # The kernel counts waits by another clock than ours: none is longer than what the program did not compute.
        waited_ms = max(0.0, min(waited_ms, self._wall_ms - self._cpu_ms))
        rested_ms = self._wall_ms - self._cpu_ms - waited_ms - (referee_waited_ms() - self._referee_waited_ms)
        before_ms = self._wall_ms - wall_ms  # of turns that were not looked into, all may have been waiting
        in_this_turn_ms = waited_ms - before_ms
        self._forget()
        return self._of_others_ms(max(in_this_turn_ms, 0.0), wall_ms), max(rested_ms, 0.0)

    def _of_others_ms(self, waited_ms: float, wall_ms: float) -> float:
        """Return what of a wait in this turn others have caused: all of it, or nothing.

        The attack: by some work of the kernel that no clock charges to it, a bot makes itself wait. So other programs
        must have had the cores for most of the wait, a tick of their clock more or less. Who keeps the referee from
        looking in time gains nothing by it.
        """
        if not self._load:
            return 0.0
        others_ms = self._load.others_ms(self._group.cpu_ms() - self._load_cpu_ms) + TICK_MS
        looked_at_ms = min(waited_ms, wall_ms - LOOK_MS)
        return waited_ms if others_ms > OTHERS_SHARE * looked_at_ms else 0.0

    def _waited_ms(self, now: Thread, before: Thread) -> float:
        """Return how long a thread has waited for others than its own program and the referee."""
        of_others_ms = self._cpu_ms - (now.ran_ms - before.ran_ms)
        return now.waited_ms - before.waited_ms - max(of_others_ms, 0.0) - self._referee_ms

    def _forget(self) -> None:
        self._wall_ms, self._cpu_ms, self._referee_ms = 0.0, 0.0, 0.0
        self._referee_waited_ms = referee_waited_ms()


def _threads(group: Group) -> dict[int, Thread]:
    """Return all live threads of a group by their numbers; none where the kernel does not count."""
    threads = {}
    for thread in _numbers(group):
        with suppress(OSError):  # it has just ended; the others of its process live on
            ran_ns, waited_ns, _ = map(int, Path(f"/proc/{thread}/task/{thread}/schedstat").read_text().split())
            threads[thread] = Thread(ran_ns / 1e6, waited_ns / 1e6)
    return threads


def _numbers(group: Group) -> list[int]:
    """Return the numbers of all live threads of a group."""
    numbers: list[int] = []
    for pid in group.pids():
        with suppress(OSError):  # it has just ended
            numbers += map(int, os.listdir(f"/proc/{pid}/task"))
    return numbers
