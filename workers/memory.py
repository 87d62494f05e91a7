"""Counts the memory of the matches on this machine: one that would not fit beside the others does not start."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from core.message import Message
from sandbox.api import Limits
from sandbox.surroundings import memory
from wire.jobs import MEMORY
from workers.environment import worker_folder
from workers.lacking import Lacking

WAIT_SECONDS = 60
"""How long a match waits for the memory of others, which most matches give back sooner. The attack: somebody has bots
sit at tables for hours, and whatever does not fit beside these holds up the matches behind it."""
_POLL_SECONDS = 0.1


@contextmanager
def memory_reserved(bots: Iterable[Limits]) -> Iterator[None]:
    """Reserve all the memory that the bots of a match may use, for as long as the match lasts.

    Otherwise the bots of several matches, each within its limit, could fill the machine, whose kernel then kills one of
    them: the match would be played again, and this machine would be no place for anything else. All workers of this
    machine's user count together, by locks on files, which the kernel releases when a process is killed. They wait in
    a line, so that a large match gets its turn.

    A match beside which no other is played may have all memory of the machine, whatever else holds some of it just
    now: most bots use far less than they may, and a small machine would refuse every match otherwise.

    Raises:
        Lacking: the machine has too little memory, or other matches have held it for ``WAIT_SECONDS``.
    """
    needed = sum(limits.memory_mib for limits in bots)
    if not needed:  # a table without bots
        yield
        return
    folder = worker_folder() / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{needed}-{uuid4().hex}"
    turn = _locked(folder / "turn")
    try:
        _wait(folder, needed)
        reserved = _locked(file)
    finally:
        os.close(turn)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        os.close(reserved)


def _wait(folder: Path, needed: int) -> None:
    """Wait until ``needed`` MiB are not reserved and, if other matches have reserved memory, are free as well.

    Only the process whose turn it is calls this.

    Raises:
        Lacking: the machine has less memory in all, or ``WAIT_SECONDS`` have passed.
    """
    ends = time.monotonic() + WAIT_SECONDS
    while True:
        reserved, here = _reserved_mib(folder), memory()
        if needed <= here.total - reserved and (needed <= here.free or not reserved):
            return
        if needed > here.total or time.monotonic() >= ends:
            sizes = {"needed": needed, "free": here.free, "total": here.total, "reserved": reserved}
            raise Lacking(Message("worker-no-memory", sizes), MEMORY)
        time.sleep(_POLL_SECONDS)


def _reserved_mib(folder: Path) -> int:
    """Return how many MiB the matches that are being played have reserved; delete the files of killed processes."""
    total = 0
    for file in folder.glob("*-*"):
        try:
            descriptor = os.open(file, os.O_RDWR)
        except FileNotFoundError:  # its match has just ended
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.unlink(missing_ok=True)
        except BlockingIOError:
            total += int(file.name.partition("-")[0])
        finally:
            os.close(descriptor)
    return total


def _locked(file: Path) -> int:
    """Return the descriptor of a file that this process has locked, waiting for others; closing it ends the lock."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor
