"""Measures how long a program waited for a core in its turns, and how long it rested: neither computed nor waited."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sandbox.activity import asleep
from sandbox.clock import OTHERS_SHARE, STANDSTILL_MS
from sandbox.group import Group
from sandbox.machine import TICK_MS, Load, referee_ms, referee_waited_ms

LOOK_MS = 10
"""A measurement is made when the turns since the last one took this time together: it takes at least 50 us itself."""


class Thread(NamedTuple):
    """What the kernel has counted for one thread since it started (CONFIG_SCHED_INFO)."""

    ran_ms: float
    waited_ms: float
    """How long the thread was ready to run and got no core."""


class Waits:
    """Measures how long a program waits for other programs of this machine.

    The attack: a bot that is about to lose makes its own threads wait for each other, or keeps the referee busy on the
    same core, so that the match is played again. A thread waits for other threads of its program no longer than these
    run, and for the referee no longer than the referee runs, so both times are subtracted. Threads that have ended are
    not counted, since the kernel tells nothing about them.
    """

    def __init__(self, group: Group) -> None:
        self._group = group
        self._threads = threads_of(group.pids())
        self._load: Load | None = None
        """The load by other programs since this turn has taken ``LOOK_MS``; None: the turn is shorter."""
        self._load_cpu_ms = 0.0
        """The program's CPU time when ``_load`` was created."""
        self._forget()

    def turn_begins(self) -> None:
        """Start to measure a turn."""
        self._referee_ms -= referee_ms()
        self._load = None

    def patience_ms(self) -> int:
        """Return after how many milliseconds ``turn_lasts`` must be called; the largest number once it was called."""
        return sys.maxsize if self._load else LOOK_MS

    def turn_lasts(self, passed_ms: float) -> None:
        """Start to measure the load by other programs, once the turn has taken ``LOOK_MS``."""
        if self._load is None and passed_ms >= LOOK_MS:
            self._load, self._load_cpu_ms = Load(), self._group.cpu_ms()

    def turn_ends(self, wall_ms: float, cpu_ms: float) -> tuple[float, float]:
        """Return for how many milliseconds the program waited in this turn, and rested since the last measurement.

        Args:
            wall_ms: the wall time of the turn.
            cpu_ms: the CPU time of the whole program in the turn.
        """
        self._referee_ms += referee_ms()
        self._wall_ms += wall_ms
        self._cpu_ms += cpu_ms
        if self._wall_ms < LOOK_MS:
            return 0.0, 0.0
        before, self._threads = self._threads, threads_of(self._group.pids())
        known = self._threads.keys() & before.keys()  # for a new thread there is no reading to compare with
        waited_ms = max((self._waited_ms(self._threads[number], before[number]) for number in known), default=0.0)
        # The kernel's clock of waits differs a little from ours: cap a wait at the time without CPU use.
        waited_ms = max(0.0, min(waited_ms, self._wall_ms - self._cpu_ms))
        rested_ms = self._wall_ms - self._cpu_ms - waited_ms - (referee_waited_ms() - self._referee_waited_ms)
        before_ms = self._wall_ms - wall_ms  # earlier turns were not measured: all of their time may have been waiting
        in_this_turn_ms = waited_ms - before_ms
        self._forget()
        return self._caused_by_others(max(in_this_turn_ms, 0.0), wall_ms), max(rested_ms, 0.0)

    def _caused_by_others(self, waited_ms: float, wall_ms: float) -> float:
        """Return ``waited_ms`` if other programs used the cores for most of that time, within a clock tick, else 0.

        The attack: a bot makes itself wait by work of the kernel that no clock charges to the bot. A bot that keeps the
        referee from measuring the load in time gains nothing: without a measurement the result is 0.
        """
        if not self._load:
            return 0.0
        others_ms = self._load.others_ms(self._group.cpu_ms() - self._load_cpu_ms) + TICK_MS
        measured_ms = min(waited_ms, wall_ms - LOOK_MS)
        return waited_ms if others_ms > OTHERS_SHARE * measured_ms else 0.0

    def _waited_ms(self, now: Thread, before: Thread) -> float:
        """Return how long a thread waited for anything but its own program's threads and the referee."""
        own_program_ms = self._cpu_ms - (now.ran_ms - before.ran_ms)
        return now.waited_ms - before.waited_ms - max(own_program_ms, 0.0) - self._referee_ms

    def _forget(self) -> None:
        self._wall_ms, self._cpu_ms, self._referee_ms = 0.0, 0.0, 0.0
        self._referee_waited_ms = referee_waited_ms()


class Rests:
    """Measures how long a program rests in a build step: all its threads sleep, and none waits for a core or the disk.

    ``Waits`` cannot tell that, since it knows nothing of the many processes of a build that have ended.
    """

    def __init__(self, group: Group) -> None:
        self._group = group
        self._rested_ms = 0.0
        self._looked = time.monotonic()

    def look(self) -> float:
        """Return for how many milliseconds the program has rested so far. Call it every ``TICK_MS`` of the clock."""
        passed_ms = (time.monotonic() - self._looked) * 1e3
        if passed_ms >= LOOK_MS:
            self._looked = time.monotonic()
            # After a standstill of this process nobody knows what the program did meanwhile.
            if passed_ms < STANDSTILL_MS and asleep(self._group):
                self._rested_ms += passed_ms
        return self._rested_ms


def threads_of(pids: Iterable[int]) -> dict[int, Thread]:
    """Return all live threads of processes by number; empty where the kernel does not count how long threads wait."""
    numbers: list[int] = []
    for pid in pids:
        with suppress(OSError):  # the process has just ended
            numbers += map(int, os.listdir(f"/proc/{pid}/task"))
    threads = {}
    for thread in numbers:
        with suppress(OSError):  # the thread has just ended; other threads of its process may live on
            ran_ns, waited_ns, _ = map(int, Path(f"/proc/{thread}/task/{thread}/schedstat").read_text().split())
            threads[thread] = Thread(ran_ns / 1e6, waited_ns / 1e6)
    return threads
