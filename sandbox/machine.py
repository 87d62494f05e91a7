"""What keeps the cores of this machine busy, as the kernel counts it (proc_stat(5))."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Set
from pathlib import Path

STAT = Path("/proc/stat")
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


def referee_ms() -> float:
    """Return the CPU time that this thread has used."""
    return time.thread_time() * 1e3


def cores_of(thread: int) -> set[int]:
    """Return the cores that a thread may run on; ours, if it is none or has ended."""
    try:
        return os.sched_getaffinity(thread)
    except ProcessLookupError:
        return os.sched_getaffinity(0)
