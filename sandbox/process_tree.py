"""The stand-in where no control group can be written: one program counted by the process table."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from sandbox.cgroups import MIB
from sandbox.procfs import field_of, stat_fields


class ProcessTree:
    """A process and its descendants, found in /proc: the stand-in where no control group can be written.

    Nothing but our looking holds its memory limit, so a program can pass it for the length of a tick.
    """

    def __init__(self, root: int, memory_mib: int) -> None:
        self._root = root
        self._memory_mib = memory_mib
        self._peak_mib = 0.0
        self._cpu_ms = 0.0

    def pids(self) -> list[int]:
        """Return the live processes, the root first."""
        found = [self._root]
        for pid in found:
            with suppress(OSError):  # it has just ended
                for thread in os.listdir(f"/proc/{pid}/task"):  # each has the children that it has started
                    found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
        return found

    def threads(self) -> int:
        """Return how many threads they have in all."""
        return sum(map(_threads_of, self.pids()))

    def cpu_ms(self) -> float:
        """Return the CPU time used by the live ones and by children they waited for (those to 10 ms)."""
        total = sum(_tree_cpu_ms(pid) for pid in self.pids())
        self._cpu_ms = max(self._cpu_ms, total)  # never runs back when one ends
        return self._cpu_ms

    def run_delay_ms(self) -> float:
        """Return 0: nobody adds up what the dead have waited."""
        return 0.0

    def memory_peak_mib(self) -> float:
        """Return the most memory seen, sampled when asked."""
        pids = self.pids()
        now = sum(map(_resident_mib, pids))
        if now > self._memory_mib:  # what processes share was counted for each: look closer, which takes longer
            now = sum(map(_proportional_mib, pids))
        self._peak_mib = max(self._peak_mib, now)
        return self._peak_mib

    def memory_kills(self) -> int:
        """Return 1 as soon as it was seen over its limit: whoever looks ends it."""
        return int(self.memory_peak_mib() > self._memory_mib)

    def stood_at_memory_limit(self) -> bool:
        """Tell whether it was seen over its limit, which is all that ``memory_kills`` tells of."""
        return self.memory_kills() > 0

    def thrashes(self) -> bool:
        """Return False: no kernel holds the limit here, and makes room by dropping files."""
        return False

    def close(self) -> None:
        """Nothing is open."""


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
    """Return its memory, of what it shares with others its part.

    The attack: it lets nobody look (PR_SET_DUMPABLE). Then all of what it shares counts.
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
