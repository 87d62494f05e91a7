"""Who is not asked stands still: so no bot thinks in another's time, or grows while another measures itself.

By SIGSTOP, which nobody can catch, and not by the kernel's freezer of groups: that would hold the sandbox's own helpers
too, and Docker's groups are the engine's. Whoever runs can wake who is stopped, by SIGCONT; what else would let the
kernel send it, of itself, is forbidden by the filter of system calls.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from sandbox.cgroups import Group, thread_states

PATIENCE_SECONDS = 0.25
"""So long those are waited for that cannot stop at once: in the middle of a long call, waiting for the disk, or for a
child that has borrowed their memory (vfork) and stands. Who is not through by then is charged for it in its next turn.
"""
PAUSE_SECONDS = 0.000_05
STANDING = frozenset("TZX")
"""States of threads that run no more: stopped, or dead."""


class Freezer:
    """Stops and wakes the processes of one group.

    It holds on to those that it has stopped by descriptor, not by number. The attack: a process ends while its program
    is asked, others start and end until its number is a stranger's, and the stranger is stopped in its place.
    """

    def __init__(self, group: Group, helpers: frozenset[int]) -> None:
        """Take a group, and which of its processes are the sandbox's own and always run."""
        self._group, self._helpers = group, helpers
        self._held: dict[int, _Held] = {}

    def freeze(self) -> None:
        """Stop every process of the group but the helpers, and wait until they stand still.

        The attack: who is told to stop while it makes a child makes it first, and nobody has told that one; who sends
        SIGCONT just then wakes one that stands already. So whether there are others is looked at when all that are
        known stand still: then nobody more can come.

        Raises:
            PermissionError: not root.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            self._stop()
            if (threads := self._threads_standing()) is None:
                time.sleep(PAUSE_SECONDS)
            elif self._all(threads) or not self._take_in():
                return
            if time.monotonic() > deadline:
                return

    def thaw(self) -> None:
        """Let the stopped go on. None can have been added: who is stopped starts nothing."""
        for held in self._held.values():
            held.send(signal.SIGCONT)

    def close(self) -> None:
        """Let go of all; they stay as they are."""
        while self._held:
            self._held.popitem()[1].close()

    def _stop(self) -> None:
        """Tell those that are held to stop, and let go of those that have been buried."""
        for pid in [pid for pid, held in self._held.items() if not held.send(signal.SIGSTOP)]:
            self._held.pop(pid).close()

    def _threads_standing(self) -> int | None:
        """Return how many threads the held have, if all of them stand still, else None.

        Where several are held, none of them may have run while they were looked at one after the other. The attack:
        each wakes those that have been looked at already, and stops itself.
        """
        several = len(self._held) > 1
        used_ms = self._group.cpu_ms() if several else 0.0
        threads = [held.threads_standing() for held in self._held.values()]
        if 0 in threads or (several and self._group.cpu_ms() != used_ms):
            return None
        return sum(threads)

    def _all(self, threads: int) -> bool:
        """Tell whether nobody has other threads in the group, as with most bots; each helper has one.

        No more than a count is read for that, a tenth of what it takes to list processes.
        """
        return self._group.threads() == threads + len(self._helpers)

    def _take_in(self) -> bool:
        """Hold and stop those that are not held yet; tell whether there were any, and not only some that are dead."""
        fresh = set(self._group.pids()) - self._helpers - self._held.keys()
        for pid in fresh:
            with suppress(ProcessLookupError, FileNotFoundError):  # it has just ended
                self._held[pid] = _Held(pid)
        return bool(fresh)


class _Held:
    """One process, by descriptors.

    Raises:
        ProcessLookupError, FileNotFoundError: it has ended.
        PermissionError: not root.
    """

    def __init__(self, pid: int) -> None:
        """Take hold of a process and tell it to stop."""
        self._pid = pid
        # Not by os.pidfd_open: before Linux 6.15 it calls a number invalid that is no process's any more, but still the
        # number of its family, which would be taken for a failure of ours.
        self._folder = os.open(f"/proc/{pid}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            signal.pidfd_send_signal(self._folder, signal.SIGSTOP)
            self._stat = os.open("stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._folder)
        except OSError:
            os.close(self._folder)
            raise

    def close(self) -> None:
        """Let go of it."""
        os.close(self._folder)
        os.close(self._stat)

    def send(self, number: signal.Signals) -> bool:
        """Send it a signal; tell whether it has not been buried yet."""
        try:
            signal.pidfd_send_signal(self._folder, number)
        except ProcessLookupError:
            return False
        return True

    def threads_standing(self) -> int:
        """Return how many threads it has if all stand still, else 0."""
        with suppress(ProcessLookupError):  # it has just been buried
            # The name, in parentheses, is the program's choice: any bytes.
            state, *_, threads = os.pread(self._stat, 4_096, 0).rpartition(b")")[2].split(None, 18)[:18]
            states = [state.decode()] if threads == b"1" else thread_states(self._pid)
            return len(states) if len(states) == int(threads) and STANDING.issuperset(states) else 0
        return 0
