"""What keeps the cores of this machine busy, as the kernel counts it (proc_stat(5))."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Set
from pathlib import Path

STAT = Path("/proc/stat")
OWN_SCHEDULE = Path("/proc/thread-self/schedstat")
TICK_MS = 1e3 / os.sysconf("SC_CLK_TCK")
PROGRAMS = (0, 1, 2, 7)
"""Columns of programs: user, nice, system, and steal, of other virtual machines. Interrupts are no programs."""


def busy_ms() -> dict[int, float]:
    """Return for each core how long it has run programs since this machine started."""
    busy = {}
    for line in STAT.read_text().splitlines():
        name, *columns = line.split()
        if name.startswith("cpu") and name != "cpu":
            busy[int(name.removeprefix("cpu"))] = TICK_MS * sum(int(columns[n]) for n in PROGRAMS)
    return busy


def busy_since_ms(before: Mapping[int, float], cores: Set[int]) -> float:
    """Return how long each of these cores has run programs since an earlier reading, on average."""
    now = busy_ms()
    grown = [now[core] - before[core] for core in cores if core in now and core in before]
    return sum(grown) / len(grown) if grown else 0.0


class Load:
    """What other programs do on the cores of this process from now on."""

    def __init__(self) -> None:
        self._cores = os.sched_getaffinity(0)
        self._busy_ms, self._referee_ms = busy_ms(), referee_ms()

    def others_ms(self, own_ms: float) -> float:
        """Return how long they have run on each core, on average.

        Args:
            own_ms: the CPU time that programs of ours have used since; that of this thread is known.
        """
        own_ms += referee_ms() - self._referee_ms
        return busy_since_ms(self._busy_ms, self._cores) - own_ms / len(self._cores)


def referee_ms() -> float:
    """Return the CPU time that this thread has used."""
    return time.thread_time() * 1e3


def referee_waited_ms() -> float:
    """Return how long this thread has been ready to run and got no core; 0 where the kernel does not count that."""
    try:
        return int(OWN_SCHEDULE.read_text().split()[1]) / 1e6
    except FileNotFoundError:
        return 0.0


def cores_of(thread: int) -> set[int]:
    """Return the cores that a thread may run on; ours, if it is none or has ended."""
    try:
        return os.sched_getaffinity(thread)
    except ProcessLookupError:
        return os.sched_getaffinity(0)
