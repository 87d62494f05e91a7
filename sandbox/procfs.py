"""Reads what the kernel tells about processes under /proc (proc(5))."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

VFORK = ("kernel_clone", "wait_for_vfork_done")
"""Functions of the kernel in which a thread waits for a child made by vfork, by compiler (kernel/fork.c)."""


def stat_fields(path: str) -> list[str]:
    """Return the fields of a stat file, from the state on.

    The program chooses its name, which comes before the state in parentheses. The attack: a name that is not UTF-8
    makes the worker fail, so that all matches of the program are void.
    """
    with open(path, "rb", buffering=0) as file:
        return file.read().rpartition(b")")[2].decode().split()


def field_of(text: str, name: str) -> int:
    """Return the number after ``name`` in a kernel file with lines ``name number``; 0 if no line begins with it."""
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} ")), 0)


def thread_states(pid: int) -> list[str]:
    """Return the state of each thread of a process as the kernel's letter; empty if the process has just ended.

    A thread that waits for a child made by vfork gets the letter V. To the kernel it waits like a thread that waits for
    the disk (D), but the child decides how long.
    """
    states = []
    with suppress(OSError):  # the process has just ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            folder = f"/proc/{pid}/task/{thread}"
            state = stat_fields(f"{folder}/stat")[0]
            waits_for_child = state == "D" and Path(folder, "wchan").read_text() in VFORK
            states.append("V" if waits_for_child else state)
    return states


def open_files(pid: int) -> set[tuple[int, int]]:
    """Return device and inode of each file that a process has open; empty if the process has just ended."""
    files = set()
    with suppress(OSError):  # the process has just ended
        for fd in os.scandir(f"/proc/{pid}/fd"):
            status = os.stat(fd.path)
            files.add((status.st_dev, status.st_ino))
    return files
