"""Measures how busy a worker's machine is."""

from __future__ import annotations

import os
from pathlib import Path

STAT = Path("/proc/stat")


def load() -> float:
    """Return the machine's load average over the last minute."""
    return round(os.getloadavg()[0], 2)


class CpuMeter:
    """Measures the share of all cores' time that was used since the last call."""

    def __init__(self) -> None:
        self._busy, self._total = _times()

    def percent(self) -> float | None:
        """Return the share in percent, 0 to 100; None if no time has passed."""
        busy, total = _times()
        used, passed = busy - self._busy, total - self._total
        self._busy, self._total = busy, total
        return round(min(max(100 * used / passed, 0.0), 100.0), 1) if passed > 0 else None


def _times() -> tuple[int, int]:
    """Return the clock ticks of all cores since the boot: those used, and all (proc_stat(5))."""
    user, nice, system, idle, iowait, irq, softirq, steal = map(int, STAT.read_text().split()[1:9])
    busy = user + nice + system + irq + softirq + steal
    return busy, busy + idle + iowait
