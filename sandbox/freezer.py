"""Bots that are not asked are stopped, so that none thinks in another's time, or grows while another measures itself.

They are stopped by SIGSTOP, which no program can catch. The kernel's own freezer of control groups would not do: it
would stop the sandbox's helpers too, and Docker's groups belong to the engine. A process that runs can wake one that is
stopped by SIGCONT. The ways in which the kernel itself would send SIGCONT are closed by the filter of system calls.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

from sandbox.cgroups import Group
from sandbox.procfs import thread_states

PATIENCE_SECONDS, MOMENT_SECONDS = 0.25, 0.005
"""How long we wait for processes that cannot stop at once: before another program is asked, and while it is being
asked. They are in the middle of a long system call, or wait for the disk."""
PAUSE_SECONDS = 0.000_05
STANDING = frozenset("TZXV")
"""States of threads that run no more: stopped, dead, or stopped as soon as a child has given back their memory (vfork).

The attack: a bot of such a process seems never to stop, and looking for that on the core of the one that is asked cost
that one up to twice its CPU time.
"""
THREADS = 17
"""Where in a stat file the number of threads stands, from the state on (proc_pid_stat(5))."""
BURIED = b"X" + b" 0" * THREADS


class _Restless(threading.local):
    """Whose programs have been told to stop by this thread, and may not stand yet."""

    def __init__(self) -> None:
        self.freezers: set[Freezer] = set()


_restless = _Restless()


class Freezer:
    """Stops and wakes the processes of one group.

    It keeps those that it has stopped by descriptor, not by number. The attack: a process ends while its program is
    asked, others start and end until its number is a stranger's, and the stranger is stopped in its place.

    A process that has been sent SIGSTOP may not stand yet. The attack: in that moment it makes a child, which nobody
    has told to stop, or wakes another one by SIGCONT. So when all known processes stand we look whether there are more:
    if there are none, none can come. We wait for programs of several processes or threads until all of them stand.
    Others mostly stand at once, except on a core that they share with us, where they stop only when we sleep. To sleep
    for that would cost more than all the rest, so we look again when we have waited anyhow, for the next program's
    answer (``settle``).
    """

    def __init__(self, group: Group, helpers: frozenset[int]) -> None:
        """Take a group, and which of its processes are the sandbox's own and always run."""
        self._group, self._helpers = group, helpers
        self._held: dict[int, _Held] = {}

    def freeze(self) -> None:
        """Stop every process of the group but the helpers.

        Raises:
            PermissionError: not root.
        """
        if not self._stopped() and (self._is_the_only_one() or not self._stops_within(PATIENCE_SECONDS)):
            _restless.freezers.add(self)

    def thaw(self) -> None:
        """Let the stopped go on. None can have been added: who is stopped starts nothing."""
        _restless.freezers.discard(self)
        for held in self._held.values():
            held.send(signal.SIGCONT)

    def close(self) -> None:
        """Let go of all; they stay as they are."""
        _restless.freezers.discard(self)
        while self._held:
            self._held.popitem()[1].close()

    def _stop(self) -> None:
        """Tell those that are held to stop, and let go of those that have been buried."""
        for pid in [pid for pid, held in self._held.items() if not held.send(signal.SIGSTOP)]:
            self._held.pop(pid).close()

    def _stopped(self) -> bool:
        """Stop all that there are; tell whether it is certain that all stand and nobody else is there."""
        self._stop()
        standing = all(held.first_stands() for held in self._held.values())
        if self._is_the_only_one():
            return standing
        return not self._take_in() and self._all_stand() and not self._take_in()

    def _stops_within(self, seconds: float) -> bool:
        """Tell whether all stand by then."""
        deadline = time.monotonic() + seconds
        while not (stopped := self._stopped()) and time.monotonic() < deadline:
            time.sleep(PAUSE_SECONDS)
        return stopped

    def _is_the_only_one(self) -> bool:
        """Tell whether the program is one process of one thread, as most are.

        For that a count is read, a tenth of what it takes to list processes and threads. Whoever is held is one thread
        at least, and so is each helper; so if there are no more threads, none is left for anybody else.
        """
        return len(self._held) == 1 and self._group.threads() == 1 + len(self._helpers)

    def _all_stand(self) -> bool:
        """Tell whether all threads of all that are held stand still, and none has run while they were looked at.

        The attack: each wakes those that have been looked at already, and stops itself.
        """
        used_ms = self._group.cpu_ms()
        standing = all(held.stands() for held in self._held.values())
        return standing and (len(self._held) < 2 or self._group.cpu_ms() == used_ms)

    def _take_in(self) -> bool:
        """Hold and stop those that are not held yet; tell whether there were any, and not only some that are dead."""
        fresh = set(self._group.pids()) - self._helpers - self._held.keys()
        for pid in fresh:
            with suppress(ProcessLookupError, FileNotFoundError):  # it has just ended
                self._held[pid] = _Held(pid)
        return bool(fresh)


def restless() -> bool:
    """Tell whether a program that this thread has frozen may not stand yet: wait no longer than a moment."""
    return bool(_restless.freezers)


def settle() -> None:
    """Stop for good whoever did not stand at once. For those who have just waited for another program."""
    for freezer in tuple(_restless.freezers):
        if freezer._stops_within(MOMENT_SECONDS):
            _restless.freezers.discard(freezer)


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

    def first_stands(self) -> bool:
        """Tell whether its first thread stands still."""
        return chr(self._status()[0]) in STANDING

    def stands(self) -> bool:
        """Tell whether all its threads stand still, none of them born or ended while they were looked at."""
        states = thread_states(self._pid)
        return STANDING.issuperset(states) and len(states) == int(self._status().split()[THREADS])

    def _status(self) -> bytes:
        """Return what the kernel tells of it, from its state on."""
        try:
            status = os.pread(self._stat, 1_024, 0)
        except ProcessLookupError:
            return BURIED
        return status[status.rindex(b")") + 2 :]  # behind the name, which is the program's choice
