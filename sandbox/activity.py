"""What the processes of a group are doing: whether they sleep, wait for a core, or hold on to a file."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from sandbox.cgroups import Group
from sandbox.procfs import open_files, stat_fields, thread_states


def asleep(group: Group) -> bool:
    """Tell whether every thread of the group waits for something: none runs, is ready to run, or reads from disk."""
    youngest_first = reversed(group.pids())  # while it starts, the program itself runs, and the helpers wait for it
    return not any(state in "RD" for pid in youngest_first for state in thread_states(pid))


def holds(group: Group, file: int, helpers: frozenset[int]) -> bool:
    """Tell whether a process of the group, not counting the helpers, has the file of our descriptor open."""
    wanted = os.fstat(file)
    return any((wanted.st_dev, wanted.st_ino) in open_files(pid) for pid in set(group.pids()) - helpers)


class RunDelays:
    """How long the threads of a group have been ready to run and waiting for a core.

    The kernel counts a wait when it ends, so that who gets no core at all seems to wait for nothing. A wait that is
    under way counts here from the look that saw it first.
    """

    def __init__(self, group: Group) -> None:
        self._group = group
        self._ready: dict[int, tuple[int, float]] = {}
        """Of each thread that was ready at the last look, how often it had had a core, and since when that was so."""

    def look(self) -> dict[int, float]:
        """Return the milliseconds of each thread since it began; one that runs is taken for one that waits."""
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
