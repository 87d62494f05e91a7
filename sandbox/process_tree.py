"""Counts the processes of a program by the process table, where this process may not create control groups."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from sandbox.cgroups import MIB
from sandbox.group import Group
from sandbox.procfs import field_of, stat_fields


class ProcessTree(Group):
    """A process and its descendants, found in /proc; see ``sandbox.group.Group`` for the methods.

    The memory limit of all processes together is checked only when a method is called, so a program can exceed it for a
    moment.
    """

    def __init__(self, root: int, memory_mib: int) -> None:
        self._root = root
        self._memory_mib = memory_mib
        self._peak_mib = 0.0
        self._cpu_ms = 0.0

    def pids(self) -> list[int]:
        """Return the numbers of the live processes, the root first."""
        found = [self._root]
        for pid in found:
            with suppress(OSError):  # the process has just ended
                for thread in os.listdir(f"/proc/{pid}/task"):  # the kernel lists children by the thread that made them
                    found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
        return found

    def threads(self) -> int:
        """Return the number of threads of all processes."""
        return sum(map(_threads_of, self.pids()))

    def cpu_ms(self) -> float:
        """Return the CPU time of live processes and of children they waited for (the latter in steps of 10 ms)."""
        total = sum(_tree_cpu_ms(pid) for pid in self.pids())
        self._cpu_ms = max(self._cpu_ms, total)  # the sum shrinks when a process ends; the result must not
        return self._cpu_ms

    def memory_peak_mib(self) -> float:
        """Return the most memory measured so far; each call measures once more."""
        pids = self.pids()
        now = sum(map(_resident_mib, pids))
        if now > self._memory_mib:  # shared memory was counted once for each process: measure exactly, which is slower
            now = sum(map(_proportional_mib, pids))
        self._peak_mib = max(self._peak_mib, now)
        return self._peak_mib

    def memory_kills(self) -> int:
        """Return 1 once the memory was measured above its limit, else 0: the caller then kills the program."""
        return int(self.memory_peak_mib() > self._memory_mib)

    def stood_at_memory_limit(self) -> bool:
        """Return whether the memory was measured above its limit."""
        return self.memory_kills() > 0

    def close(self) -> None:
        """Do nothing: no descriptor is open."""


def _threads_of(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def _resident_mib(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB
    except OSError:
        return 0.0


def _proportional_mib(pid: int) -> float:
    """Return the memory of a process, with its proportion of memory that it shares with other processes.

    The attack: a process forbids others to read this (PR_SET_DUMPABLE). Then all its shared memory counts.
    """
    try:
        return field_of(Path(f"/proc/{pid}/smaps_rollup").read_text(), "Pss:") / 1024
    except OSError:
        return _resident_mib(pid)


def _tree_cpu_ms(pid: int) -> float:
    try:
        children = sum(map(int, stat_fields(f"/proc/{pid}/stat")[13:15])) * 1e3 / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime((~pid << 3) | 2) * 1e3 + children  # the kernel's clock id of another process
    except OSError:
        return 0.0
