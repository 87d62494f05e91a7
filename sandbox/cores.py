"""Which core a playing process keeps to, and with it the programs it starts."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Set
from pathlib import Path


def keep_to_own_core(folder: Path, processes: int) -> None:
    """Give this playing process, and with it the bots it starts, a core of its own where there are enough.

    Neither can another match disturb its clock then, nor do bots wander between cores from turn to turn, which costs
    more than most turns. Only Linux can do so.

    Args:
        folder: see ``core_take``.
        processes: how many play.
    """
    if sys.platform == "linux":
        cores = os.sched_getaffinity(0)
        if processes <= len(cores) and (core := core_take(folder, cores)) is not None:
            os.sched_setaffinity(0, {core})


def core_take(folder: Path, cores: Set[int]) -> int | None:
    """Take a core that no other playing process on this machine has taken, until this process ends.

    Several workers and leagues may run on one machine, so what counts is not a number that each gives its own processes
    but a lock that all of them see; the lock of a killed process is gone with it.

    Args:
        folder: the same for all of this user's on the machine. What tidies it up removes folders, never these files.
        cores: which this process may use.

    Returns:
        The core; None: all are taken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for core in sorted(cores):
        # Never closed on purpose: the open file is the lock. Bots do not inherit it.
        descriptor = os.open(folder / f"core-{core}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return core
    return None
