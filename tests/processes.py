"""Reads of other processes, which may end meanwhile."""

from __future__ import annotations

import psutil


def words_of(process: psutil.Process) -> list[str]:
    """Return the command line of a process; empty if it has just ended."""
    try:
        return list(process.cmdline())
    except psutil.NoSuchProcess:
        return []
