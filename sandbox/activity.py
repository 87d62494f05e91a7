"""What the processes of a control group are doing: whether they sleep, wait for a core, or have a file open."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from sandbox.group import Group
from sandbox.procfs import open_files, stat_fields, thread_states


def asleep(group: Group) -> bool:
    """Return whether every thread of the group sleeps: none runs, is ready to run, or waits for the disk."""
    # The youngest first: while a program starts it is the one that runs, and the sandbox's helpers wait for it.
    youngest_first = reversed(group.pids())
    return not any(state in "RD" for pid in youngest_first for state in thread_states(pid))


def holds(group: Group, file: int, helpers: frozenset[int]) -> bool:
    """Return whether a process of the group, the helpers aside, has the same file open as our descriptor ``file``."""
    wanted = os.fstat(file)
    return any((wanted.st_dev, wanted.st_ino) in open_files(pid) for pid in set(group.pids()) - helpers)


class RunDelays:
    """How long the threads of a group have been ready to run without getting a core.

    The kernel adds a wait to its count only when the wait ends, so a thread that never gets a core would show none.
    A wait that is still going on is counted here from the call of ``read`` that saw it first.
    """

    def __init__(self, group: Group) -> None:
        self._group = group
        self._ready: dict[int, tuple[int, float]] = {}
        """For each thread that was ready at the last reading: how often it had got a core, and since when it has been
        ready (milliseconds)."""

    def read(self) -> dict[int, float]:
        """Return how many milliseconds each thread has waited since it began, by thread number.

        A thread that is running now cannot be told from one that waits, and counts as waiting.
        """
        delays, before, self._ready = {}, self._ready, {}
        for pid in self._group.pids():
            with suppress(OSError):  # it has just ended
                for thread in map(int, os.listdir(f"/proc/{pid}/task")):
                    delays[thread] = self._delay_ms(f"/proc/{pid}/task/{thread}", thread, before)
        return delays

    def _delay_ms(self, folder: str, thread: int, before: dict[int, tuple[int, float]]) -> float:
        _, waited_ns, turns = map(int, Path(folder, "schedstat").read_text().split())
        if stat_fields(f"{folder}/stat")[0] != "R":
            return waited_ns / 1e6
        now_ms = time.monotonic() * 1e3
        turns_before, since_ms = before.get(thread, (turns, now_ms))
        if turns_before != turns:
            since_ms = now_ms
        self._ready[thread] = turns, since_ms
        return waited_ns / 1e6 + now_ms - since_ms
