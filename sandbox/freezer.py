"""Stops bots while they are not asked, so that none computes in the turn of another.

Bots are stopped by SIGSTOP, which no program can catch. The kernel's freezer of control groups would also stop the
sandbox's helpers, and Docker's groups belong to the engine. A running process can wake a stopped one by SIGCONT. The
system call filter forbids the calls by which a bot could make the kernel itself send SIGCONT.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

from sandbox.group import Group
from sandbox.procfs import thread_states

PATIENCE_SECONDS, MOMENT_SECONDS = 0.25, 0.005
"""How long to wait for processes that do not stop at once, because they are in a long system call or wait for the disk:
before the next program is asked, and again while that one computes."""
PAUSE_SECONDS = 0.000_05
STOPPED_STATES = frozenset("TZXV")
"""States of threads that do not run: stopped, dead, or waiting for a child made by vfork, after which they stop.

The attack: without the last of them, a bot with such a process seems never to stop, and the worker, which checks it
again and again on the core of the next bot, costs that bot up to twice its CPU time.
"""
THREADS = 17
"""Index of the number of threads among the fields of a stat file, counted from the state (proc_pid_stat(5))."""
COLLECTED = b"X" + b" 0" * THREADS
"""What a stat file would hold for a process that has ended and was collected by its parent."""


class _Pending(threading.local):
    """The freezers of this thread that have sent SIGSTOP to processes of which some may still run."""

    def __init__(self) -> None:
        self.freezers: set[Freezer] = set()


_pending = _Pending()


class Freezer:
    """Stops and wakes the processes of one group.

    It identifies processes by descriptor, not by number. The attack: a process ends in its program's turn, other
    processes start and end until its number belongs to another program, which would be stopped instead.

    SIGSTOP takes effect with a delay. The attack: meanwhile the process starts a child, which has got no signal, or
    wakes another process by SIGCONT. So when all known processes have stopped, the freezer looks for new ones; if there
    are none, none can appear later. ``freeze`` waits until all processes of a program with several processes or threads
    have stopped. A single process mostly stops at once, except on the core of the worker, where it stops only when the
    worker sleeps. A sleep for that would take longer than everything else, so the freezer stays pending until the
    worker has waited for the next program's answer anyway (``finish_pending``).

    ``helpers`` are the numbers of processes of the group that belong to the sandbox and always run.
    """

    def __init__(self, group: Group, helpers: frozenset[int]) -> None:
        self._group, self._helpers = group, helpers
        self._held: dict[int, _HeldProcess] = {}

    def freeze(self) -> None:
        """Stop every process of the group except the helpers.

        Raises:
            PermissionError: this process is not root.
        """
        if not self._stopped() and (self._has_one_thread() or not self._stops_within(PATIENCE_SECONDS)):
            _pending.freezers.add(self)

    def thaw(self) -> None:
        """Let the stopped processes continue. All of them are known, since stopped processes start no others."""
        _pending.freezers.discard(self)
        for held in self._held.values():
            held.send(signal.SIGCONT)

    def close(self) -> None:
        """Close the descriptors of all processes; stopped processes stay stopped."""
        _pending.freezers.discard(self)
        while self._held:
            self._held.popitem()[1].close()

    def _stopped(self) -> bool:
        """Send SIGSTOP to all processes; return whether all have certainly stopped."""
        for pid in [pid for pid, held in self._held.items() if not held.send(signal.SIGSTOP)]:
            self._held.pop(pid).close()
        stopped = all(held.first_thread_stopped() for held in self._held.values())
        if self._has_one_thread():
            return stopped
        return not self._hold_new() and self._all_stopped() and not self._hold_new()

    def _stops_within(self, seconds: float) -> bool:
        """Send SIGSTOP again and again until all processes have stopped; return whether they did within ``seconds``."""
        deadline = time.monotonic() + seconds
        while not (stopped := self._stopped()) and time.monotonic() < deadline:
            time.sleep(PAUSE_SECONDS)
        return stopped

    def _has_one_thread(self) -> bool:
        """Return whether the program is one process with one thread, as most programs are.

        It reads only the group's count of threads, ten times as fast as listing processes and threads: each helper has
        one thread, and so has the known process, so an equal count leaves none for other processes.
        """
        return len(self._held) == 1 and self._group.threads() == 1 + len(self._helpers)

    def _all_stopped(self) -> bool:
        """Return whether all threads of all known processes have stopped and none has run during the check.

        The attack: each process wakes those that were checked before it, then stops itself.
        """
        used_ms = self._group.cpu_ms()
        stopped = all(held.all_threads_stopped() for held in self._held.values())
        return stopped and (len(self._held) < 2 or self._group.cpu_ms() == used_ms)

    def _hold_new(self) -> bool:
        """Stop processes of the group that are not known yet, and remember them; return whether there were any."""
        fresh = set(self._group.pids()) - self._helpers - self._held.keys()
        for pid in fresh:
            with suppress(ProcessLookupError, FileNotFoundError):  # the process has just ended
                self._held[pid] = _HeldProcess(pid)
        return bool(fresh)


def has_pending() -> bool:
    """Return whether a program that this thread has frozen may still run for a moment."""
    return bool(_pending.freezers)


def finish_pending() -> None:
    """Stop the programs that did not stop at once. Call it after waiting for another program, see ``Freezer``."""
    for freezer in tuple(_pending.freezers):
        if freezer._stops_within(MOMENT_SECONDS):
            _pending.freezers.discard(freezer)


class _HeldProcess:
    """One process, held by descriptors. Creating it sends SIGSTOP to the process.

    Raises:
        ProcessLookupError, FileNotFoundError: the process has ended.
        PermissionError: this process is not root.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        # Not os.pidfd_open: before Linux 6.15 it raises EINVAL, like a wrong argument, for a process that has ended
        # while its number still names a process group or session.
        self._folder = os.open(f"/proc/{pid}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            signal.pidfd_send_signal(self._folder, signal.SIGSTOP)
            self._stat = os.open("stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._folder)
        except OSError:
            os.close(self._folder)
            raise

    def close(self) -> None:
        """Close the descriptors; the process stays as it is."""
        os.close(self._folder)
        os.close(self._stat)

    def send(self, number: signal.Signals) -> bool:
        """Send a signal; return False if the process has ended and its parent has collected it."""
        try:
            signal.pidfd_send_signal(self._folder, number)
        except ProcessLookupError:
            return False
        return True

    def first_thread_stopped(self) -> bool:
        """Return whether the first thread has stopped."""
        return chr(self._status()[0]) in STOPPED_STATES

    def all_threads_stopped(self) -> bool:
        """Return whether all threads have stopped, and none started or ended during the check."""
        states = thread_states(self._pid)
        return STOPPED_STATES.issuperset(states) and len(states) == int(self._status().split()[THREADS])

    def _status(self) -> bytes:
        """Return the fields of the process's stat file, from the state on."""
        try:
            status = os.pread(self._stat, 1_024, 0)
        except ProcessLookupError:
            return COLLECTED
        return status[status.rindex(b")") + 2 :]  # after the name, which the program chooses and may hold parentheses
