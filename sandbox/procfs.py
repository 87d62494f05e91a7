"""What the kernel tells of processes under /proc (proc(5))."""

from __future__ import annotations

import os
from contextlib import suppress

VFORK = ("kernel_clone", "wait_for_vfork_done")
"""Where a thread waits for a child by vfork, as compilers have it (the kernel's kernel/fork.c)."""


def stat_fields(path: str) -> list[str]:
    """Return the fields of a stat file from the state on.

    The name before it, in parentheses, is the program's choice. The attack: one that is no text would void its matches.
    """
    with open(path, "rb", buffering=0) as file:
        return file.read().rpartition(b")")[2].decode().split()


def field_of(text: str, name: str) -> int:
    """Return the number behind a name that begins a line of one of the kernel's files; 0 if it is not there."""
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} ")), 0)


def thread_states(pid: int) -> list[str]:
    """Return the states of a process's threads, none if it has just ended.

    The kernel's letters, and V for a thread that waits for a child by vfork: to the kernel it is one that waits for a
    disk (D), but it may wait for as long as the child likes, and does nothing meanwhile.
    """
    states = []
    with suppress(OSError):  # it has just ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            folder = f"/proc/{pid}/task/{thread}"
            state = stat_fields(f"{folder}/stat")[0]
            states.append("V" if state == "D" and _place(folder) in VFORK else state)
    return states


def _place(folder: str) -> str:
    """Return the kernel's function that a thread waits in."""
    with open(f"{folder}/wchan") as file:
        return file.read()


def open_files(pid: int) -> set[tuple[int, int]]:
    """Return device and inode of each file that a process has open, none if it has just ended."""
    files = set()
    with suppress(OSError):  # it has just ended
        for fd in os.scandir(f"/proc/{pid}/fd"):
            status = os.stat(fd.path)
            files.add((status.st_dev, status.st_ino))
    return files
