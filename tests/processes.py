"""Other processes, which may end while a test looks at them."""

from __future__ import annotations

import psutil


def words_of(process: psutil.Process) -> list[str]:
    """Return the command line of a process; of one that has just ended, no words."""
    try:
        return list(process.cmdline())
    except psutil.NoSuchProcess:
        return []
