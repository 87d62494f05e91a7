"""Binds a process that plays matches, and the bots that it starts, to a core of its own."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Set
from pathlib import Path


def keep_to_own_core(folder: Path, processes: int) -> None:
    """Bind this process and the bots that it starts to one core, if there are enough cores. Only Linux can do so.

    Then no other match disturbs the clock of this one, and bots do not move between cores from turn to turn, which
    would take longer than most turns.

    Args:
        folder: see ``core_take``.
        processes: how many processes play matches on this machine.
    """
    if sys.platform == "linux":
        cores = os.sched_getaffinity(0)
        if processes <= len(cores) and (core := core_take(folder, cores)) is not None:
            os.sched_setaffinity(0, {core})


def core_take(folder: Path, cores: Set[int]) -> int | None:
    """Reserve a core that no other playing process on this machine has reserved, until this process ends.

    Several workers and leagues may run on one machine, so they agree by file locks; the kernel releases the lock of a
    process that is killed.

    Args:
        folder: where the lock files lie, the same folder for all playing processes of this user.
        cores: the cores that this process may use.

    Returns:
        The core, or None if all are reserved.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for core in sorted(cores):
        # The file stays open for as long as this process lives, since closing it releases the lock. Bots do not
        # inherit it.
        descriptor = os.open(folder / f"core-{core}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return core
    return None
