"""Runs the children of an arena with honcho: one that ends is started again, a signal ends them all."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from multiprocessing import Queue
from multiprocessing.sharedctypes import RawValue
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

RESTART_SECONDS = 1
"""After so many a child that has ended is started again: what ended it may last for a moment."""
RESTARTS_MAX = 5
RESTARTS_SECONDS = 60
"""A child that ends more than ``RESTARTS_MAX`` times within so many seconds is not started again: it ends the arena."""

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

    A child that ends before the arena does is started again, but not for ever.
    """

    arena_ends: Any
    """A flag in memory that the supervisor and its helpers share."""

    def run(self, events: Queue[Any] | None = None, ignore_signals: bool = False) -> None:
        # prctl(2): without it, a supervisor killed by SIGKILL would leave the whole arena behind.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        self._ended_at: deque[float] = deque(maxlen=RESTARTS_MAX + 1)
        self._stop: Any = None
        super().run(events, ignore_signals)
        while stop := self._stop:
            self._stop = None
            time.sleep(RESTART_SECONDS)
            if self.arena_ends.value:
                super()._send_message(stop, "stop")
                return
            # Honcho ignores them here by now, and who is started inherits that; a handler ends with the exec.
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, _nothing)
            super().run(events, ignore_signals)

    def _send_message(self, data: Any, type: str = "line") -> None:
        if type == "stop":
            self._ended_at.append(time.monotonic())
            often = len(self._ended_at) > RESTARTS_MAX and self._ended_at[-1] - self._ended_at[0] < RESTARTS_SECONDS
            if not often and not self.arena_ends.value:
                self._stop = data
                data, type = f"{_ended(data['returncode'])}, and is started again.\n".encode(), "line"
        super()._send_message(data, type)


def _ended(code: int) -> str:
    """Return how a child has ended, the beginning of a sentence."""
    if code < 0:
        return f"This part was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"This part has ended with exit code {code}"


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
    """Honcho's manager with an ordered end, whose children are started again when they die."""

    def __init__(self, children: list[Child], when_started: Callable[[], None]) -> None:
        super().__init__(_Log())
        self._procmgr = _OneByOne()
        self._process_ctor = _Watcher
        self._arena_ends = RawValue(ctypes.c_bool)
        self._when_started = when_started
        self._ended_first = ""
        self._asked_early = False
        for child in children:
            self.add_process(child.name, child.command, env=child.env).arena_ends = self._arena_ends

    def run(self) -> str:
        """Run the children until one has died too often or SIGINT, SIGTERM or SIGHUP comes.

        Returns:
            The name of the child that died too often; empty when a signal ended the arena.
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
        self._arena_ends.value = True
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
