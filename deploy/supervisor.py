"""Runs the children of an arena with honcho, and ends them all when one ends or a signal comes."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import threading
from collections.abc import Callable
from multiprocessing import Queue
from types import FrameType
from typing import Any

import honcho.manager
from honcho.compat import ProcessManager
from honcho.manager import Manager
from honcho.printer import Message, Printer
from honcho.process import Process

from deploy.processes import Child

PR_SET_PDEATHSIG = 1
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

ASKS_AGAIN = os.EX_TEMPFAIL

CHILD_SECONDS_MAX = 6
"""How long a child may take to end before the next one is told. Running matches get three seconds of it."""

# From the first child's end to SIGKILL for those that are left.
honcho.manager.KILL_WAIT = 10


class _OneByOne(ProcessManager):  # type: ignore[misc]  # honcho has no types
    """Ends one child after the other, so that a match that is just ending can still store its replay and report."""

    def terminate(self, pid: int) -> None:
        """Send SIGTERM to the child, not to its group (a Celery worker ends its own processes), and await its end."""
        try:
            descriptor = os.pidfd_open(pid)
            signal.pidfd_send_signal(descriptor, signal.SIGTERM)
        except ProcessLookupError:
            return  # it has just ended by itself
        select.select([descriptor], [], [], CHILD_SECONDS_MAX)
        os.close(descriptor)


class _Watcher(Process):  # type: ignore[misc]
    """Honcho's helper process that reads one child's output; neither it nor the child outlives the supervisor.

    A child that ends with ``ASKS_AGAIN`` is started again: a playing worker that has become deaf does so.
    """

    def run(self, events: Queue[Any] | None = None, ignore_signals: bool = False) -> None:
        # prctl(2): without it, a supervisor killed by SIGKILL would leave the whole arena behind.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        super().run(events, ignore_signals)
        while self._child.returncode == ASKS_AGAIN:
            # Honcho ignores them here by now, and who is started inherits that; a handler ends with the exec.
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, _nothing)
            super().run(events, ignore_signals)

    def _send_message(self, data: Any, type: str = "line") -> None:
        if type == "stop" and data["returncode"] == ASKS_AGAIN:
            data, type = b"This part ends to be started again.\n", "line"
        super()._send_message(data, type)


class _Log(Printer):  # type: ignore[misc]
    """Honcho's printer; the arena ends in good order when nobody reads it any more."""

    def write(self, message: Message) -> None:
        # The signals' handlers print too, and Python's streams refuse to be entered a second time.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            super().write(message)
        except OSError:
            _terminal_gone()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Supervisor(Manager):  # type: ignore[misc]
    """Honcho's manager with an ordered end."""

    def __init__(self, children: list[Child], when_started: Callable[[], None]) -> None:
        super().__init__(_Log())
        self._procmgr = _OneByOne()
        self._process_ctor = _Watcher
        self._when_started = when_started
        self._ended_first = ""
        self._asked_early = False
        for child in children:
            self.add_process(child.name, child.command, env=child.env)

    def run(self) -> str:
        """Run the children until one ends or SIGINT, SIGTERM or SIGHUP comes.

        Returns:
            The name of the child that ended unexpectedly; empty when a signal ended the arena.
        """
        signal.signal(signal.SIGHUP, _terminal_gone)
        try:
            self.loop()
        except BaseException:
            # Honcho's helpers outlast everything but the end of their children: without this, we would never exit.
            for pid in [process["pid"] for process in self._processes.values() if "pid" in process]:
                self._procmgr.kill(pid)
            raise
        return self._ended_first

    def terminate(self) -> None:
        """Ask every child to end; a signal that comes before all have started is kept until then."""
        if not self._all_started():
            self._asked_early = True
            return
        if not self._terminating:
            stopped = [name for name, process in self._processes.items() if process.get("returncode") is not None]
            self._ended_first = stopped[0] if stopped else ""
        super().terminate()

    def _any_stopped(self) -> bool:
        return self._asked_early or super()._any_stopped()

    def _start(self) -> None:
        super()._start()
        # A thread, started only now that honcho's helpers have been forked.
        threading.Thread(target=self._when_started, daemon=True).start()


def _nothing(number: int, frame: FrameType | None) -> None:
    """Handle a signal that is the supervisor's."""


def _terminal_gone(number: int = 0, frame: FrameType | None = None) -> None:
    """Go on writing into nothing when the terminal or the pipe is closed, and end as on SIGTERM."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.kill(os.getpid(), signal.SIGTERM)
