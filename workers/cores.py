"""Which core a playing process keeps to."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Set
from pathlib import Path


def core_take(folder: Path, cores: Set[int]) -> int | None:
    """Take a core that no other playing process on this machine has taken, until this process ends.

    Several workers may run on one machine, so what counts is not a number that each gives its own processes but a
    lock that all of them see; the lock of a killed process is gone with it.

    Args:
        folder: the same for all workers of the machine. What tidies it up removes folders, never these files.
        cores: which this worker may use.

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
