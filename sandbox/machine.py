"""Reads from the kernel how busy the cores of this machine are (proc_stat(5))."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Set
from pathlib import Path

STAT = Path("/proc/stat")
OWN_SCHEDULE = Path("/proc/thread-self/schedstat")
TICK_MS = 1e3 / os.sysconf("SC_CLK_TCK")
PROGRAMS = (0, 1, 2, 7)
"""Columns of /proc/stat with the time of programs: user, nice, system, and steal (other virtual machines)."""


def busy_ms() -> dict[int, float]:
    """Return how long each core has run programs since this machine started, by core."""
    busy = {}
    for line in STAT.read_text().splitlines():
        name, *columns = line.split()
        if name.startswith("cpu") and name != "cpu":
            busy[int(name.removeprefix("cpu"))] = TICK_MS * sum(int(columns[n]) for n in PROGRAMS)
    return busy


def busy_since_ms(before: Mapping[int, float], cores: Set[int]) -> float:
    """Return how long these cores have run programs since the reading ``before`` of ``busy_ms``, on average."""
    now = busy_ms()
    grown = [now[core] - before[core] for core in cores if core in now and core in before]
    return sum(grown) / len(grown) if grown else 0.0


class Load:
    """Measures how much other programs use the cores of this process, from its creation on."""

    def __init__(self) -> None:
        self._cores = os.sched_getaffinity(0)
        self._busy_ms, self._referee_ms = busy_ms(), referee_ms()

    def others_ms(self, own_ms: float) -> float:
        """Return how long other programs have run on the cores of this process, on average of the cores.

        Args:
            own_ms: the CPU time that the bot has used since the creation; this thread's own is subtracted as well.
        """
        own_ms += referee_ms() - self._referee_ms
        return busy_since_ms(self._busy_ms, self._cores) - own_ms / len(self._cores)


def referee_ms() -> float:
    """Return the CPU time that this thread, the referee, has used."""
    return time.thread_time() * 1e3


def referee_waited_ms() -> float:
    """Return how long this thread was ready to run and got no core; 0 where the kernel does not count that."""
    try:
        return int(OWN_SCHEDULE.read_text().split()[1]) / 1e6
    except FileNotFoundError:
        return 0.0


def cores_of(thread: int) -> set[int]:
    """Return the cores that a thread may run on; those of this process if there is no thread of that number."""
    try:
        return os.sched_getaffinity(thread)
    except ProcessLookupError:
        return os.sched_getaffinity(0)
