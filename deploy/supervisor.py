"""Runs the children of an arena: one that ends is started again, a signal ends them all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread, Timer

from deploy.processes import Child

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

RESTART_SECONDS = 1
"""How long after its end a child is started again: what ended it may last for a moment."""
RESTARTS_MAX = 5
RESTARTS_SECONDS = 60
"""A child that ends more than ``RESTARTS_MAX`` times within this time is not started again: it ends the arena."""

CHILD_SECONDS_MAX = 6
"""How long a child may take to end before the next one gets its signal. Running matches get three seconds of it."""
KILL_SECONDS = 4
"""How long children that are left after that have until SIGKILL."""


class Supervisor:
    """Runs children, prints what they say with a time and a name before each line, and ends them in their order."""

    def __init__(self, children: list[Child], when_started: Callable[[], None]) -> None:
        """Take the children in the order in which they shall be ended.

        ``when_started`` is called in a thread of its own when all have been started.
        """
        self._children = children
        self._when_started = when_started
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._readers: list[Thread] = []
        self._ends: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=RESTARTS_MAX + 1))
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_ending = False
        self._ended_first = ""

    def run(self) -> str:
        """Run the children until one has died too often, and return its name; return an empty text after a signal."""
        for number in ENDING:
            signal.signal(number, lambda number, _frame: self._events.put(partial(self._asked, number)))
        try:
            for child in self._children:
                self._start(child)
            Thread(target=self._when_started, daemon=True).start()
            while not self._is_ending:
                self._events.get()()
        finally:
            self._end()
        return self._ended_first

    def _start(self, child: Child) -> None:
        """Start a child, in the main thread: by ``setpriv --pdeathsig`` it ends with the thread that started it."""
        if self._is_ending:
            return
        process = subprocess.Popen(  # noqa: S603 - ours
            child.command,
            env=child.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the supervisor, which ends its children one by one
        )
        self._processes[child.name] = process
        self._say("system", f"{child.name} started (pid={process.pid})")
        # Threads of their own: what a child has started may hold its output open for longer than the child lives.
        Thread(target=self._await_end, args=(child, process), daemon=True).start()
        self._readers.append(Thread(target=self._read, args=(child.name, process), daemon=True))
        self._readers[-1].start()

    def _read(self, name: str, process: subprocess.Popen[bytes]) -> None:
        for line in process.stdout or ():
            self._events.put(partial(self._say, name, line.decode(errors="replace").rstrip()))

    def _await_end(self, child: Child, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        self._events.put(partial(self._ended, child, process.returncode))

    def _asked(self, number: int) -> None:
        self._say("system", f"{signal.Signals(number).name} received")
        self._is_ending = True

    def _ended(self, child: Child, code: int) -> None:
        """Start a child again that has ended by itself; if it has died too often, end the arena."""
        how = f"was ended by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ended with exit code {code}"
        ends = self._ends[child.name]
        ends.append(time.monotonic())
        if self._is_ending or (len(ends) > RESTARTS_MAX and ends[-1] - ends[0] < RESTARTS_SECONDS):
            self._say(child.name, f"This part {how}.")
            self._ended_first = self._ended_first if self._is_ending else child.name
            self._is_ending = True
            return
        self._say(child.name, f"This part {how}, and is started again.")
        restart = Timer(RESTART_SECONDS, self._events.put, [partial(self._start, child)])
        restart.daemon = True
        restart.start()

    def _end(self) -> None:
        """End one child after the other, so that a match that is just ending can still store its replay and report."""
        for name, process in self._processes.items():
            if process.poll() is None:
                self._say("system", f"sending SIGTERM to {name} (pid {process.pid})")
                process.terminate()  # not its group: a Celery worker ends its own processes
                _await(process, CHILD_SECONDS_MAX)
        late = time.monotonic() + KILL_SECONDS
        for name, process in self._processes.items():
            if not _await(process, late - time.monotonic()):
                self._say("system", f"sending SIGKILL to {name} (pid {process.pid})")
                os.killpg(process.pid, signal.SIGKILL)
        for reader in self._readers:
            reader.join(1)
        while not self._events.empty():
            self._events.get()()

    def _say(self, name: str, text: str) -> None:
        """Print a line of the part ``name``; if the terminal or pipe is closed, end in good order and print no more."""
        try:
            sys.stdout.write(f"{time.strftime('%H:%M:%S')} {name:<6} | {text}\n")
            sys.stdout.flush()
        except OSError:
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            self._is_ending = True


def _await(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(max(seconds, 0))
    except subprocess.TimeoutExpired:
        return False
    return True
