"""Runs bots as plain child processes, without a sandbox, for matches at home.

A bot may do whatever its user may, so run only bots that you trust. Time is measured roughly: on Linux the CPU time of
the bot's process without its children, elsewhere wall time; bots run on between their turns. A bot that does not answer
at all is killed after five times its limit and a second; on Linux, time in which it waits for a core does not count.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from core.message import Message, stored
from core.referee import Ask, Reply
from core.text import ending
from games.registry import game_named
from sandbox.capture import HeadAndTail
from sandbox.streams import TURN_ERRORS_BYTES
from sandbox.verdicts import half_answer, unasked

BANK_SHARE = 0.1
"""The share of each limit that is added to the bank, from which later overruns are paid, as in the arena."""
START_MS = 5_000
"""The time that the first answer may take longer, for the start of an interpreter."""
STDERR_BYTES = 2_000
"""How much of the end of standard error is shown."""
STDERR_SEARCH_BYTES = 1 << 20
"""How much of the end is searched for the first line of an error message, which is shown above the end."""
STDERR_KEPT_BYTES = 4 << 20
"""The largest size of the file with standard error; of a larger file only the end is kept."""
POLL_MS = 200
"""How often the size of standard error is checked during a turn, since a bot may fill the disk without answering."""
_DYING_SECONDS = 1
"""How long the end of a bot is awaited that has written too much, or closed its output: it may be about to end."""
_ANSWER_BYTES_MAX = 65_536
"""The largest answer, the same as in the arena."""


class _Fault(Exception):  # noqa: N818 - the field's word for it
    """The bot broke a rule of answering; see ``core.message.Message`` for ``kind`` and ``args``."""

    def __init__(self, verdict: str, kind: str, **args: Any) -> None:
        super().__init__(kind)
        self.verdict = verdict
        self.why = Message(kind, args)


class RunningBot(Protocol):
    """A running bot, in a sandbox or not."""

    def ask(self, ask: Ask) -> Reply:
        """Write a question and return the answer, or a reply with a verdict if the bot was at fault."""

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error."""


class RandomBot:
    """Answers at random what the game's rules allow, without a process; see ``RunningBot`` for the public methods."""

    def __init__(self, game: str) -> None:
        self._game = game_named(game)
        self._rng = np.random.default_rng()

    def ask(self, ask: Ask) -> Reply:
        """Return a random legal answer."""
        return Reply(self._game.random_answer(ask.state, 0, ask.seat, self._rng))

    def stderr_tail(self) -> str:
        """Return nothing: there is no program that could write."""
        return ""


@contextlib.contextmanager
def local_bot(command: str, folder: Path | None = None, *, clock: bool = True) -> Iterator[LocalBot]:
    """Start a bot by a command line, and kill its process group at the end.

    Args:
        command: program and arguments, with the quoting of a shell.
        folder: the folder in which it is started; None: the current one.
        clock: whether the bot has a time limit.

    Raises:
        OSError: there is no such program.
        ValueError: the command is empty or has an open quote.
    """
    argv = shlex.split(command)
    if not argv:
        raise ValueError("the command is empty")
    with (
        _append_only_file() as stderr,
        subprocess.Popen(  # noqa: S603 - the user's own command on the user's own machine
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0, process_group=0, cwd=folder
        ) as process,
    ):
        bot = LocalBot(process, stderr, clock=clock)
        try:
            yield bot
        finally:
            bot.kill()


class LocalBot:
    """One bot that runs as a child process; see ``RunningBot`` for the public methods."""

    def __init__(self, process: subprocess.Popen[bytes], stderr: IO[bytes], *, clock: bool = True) -> None:
        self._process = process
        self._input = process.stdin.fileno()  # type: ignore[union-attr]  # a PIPE
        self._output = process.stdout.fileno()  # type: ignore[union-attr]  # a PIPE
        os.set_blocking(self._input, False)
        self._writable, self._readable = _polled(self._input, select.POLLOUT), _polled(self._output, select.POLLIN)
        self._unread = b""  # output that belongs to no answer yet
        self._was_asked = False
        self._stderr = stderr
        self._stderr_read = 0
        """How many bytes of standard error belong to earlier turns."""
        self._has_clock = clock
        self._spent_ms = _clock(process.pid)
        self._start_ms = START_MS
        self._bank_ms = 0.0
        self._deadline_ms = 0.0
        self._due_ms = 0.0
        """When to check next whether the answer comes too late (a reading of ``_wall_ms``)."""
        self._waits: dict[str, float] = {}
        """How long each thread had waited for a core when the answer became slow, in milliseconds."""
        self._bytes_left = 0
        """How many more bytes the answer may have."""

    def ask(self, ask: Ask) -> Reply:
        """Write a question and return the answer, or a reply with a verdict if the bot was at fault."""
        limit_ms, far_ms = ask.cpu_ms + self._start_ms, 5 * ask.cpu_ms + 1_000 + self._start_ms
        self._start_ms = 0
        self._bank_ms += BANK_SHARE * ask.cpu_ms
        wall_ms, spent_ms = _wall_ms(), self._spent_ms()
        lines: list[str] = []
        self._deadline_ms, self._due_ms, self._waits = wall_ms + far_ms, wall_ms + ask.cpu_ms, {}
        if not self._has_clock:
            self._due_ms = math.inf
        self._bytes_left = _ANSWER_BYTES_MAX
        try:
            self._refuse_unasked()
            self._was_asked = True
            unsent = "\n".join([*ask.lines, ""]).encode()
            while unsent:
                try:
                    unsent = unsent[os.write(self._input, unsent) :]
                except BlockingIOError:
                    self._await(self._writable)
                except BrokenPipeError:
                    unsent = b""  # the program reads no more, which is no fault as long as it answers
            self._read(ask.answer_lines, lines)
            spent_ms = self._spent_ms() - spent_ms
            self._charge(spent_ms, limit_ms)
            self._cut_stderr()
        except _Fault as fault:
            return Reply(lines, 0.0, _wall_ms() - wall_ms, fault.verdict, fault.why, self._turn_stderr())
        return Reply(lines, spent_ms, _wall_ms() - wall_ms, stderr=self._turn_stderr())

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error."""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - STDERR_SEARCH_BYTES))
        text = self._stderr.read().decode(errors="replace")
        return ending(text, max(0, len(text) - STDERR_BYTES))

    def _turn_stderr(self) -> str:
        """Return as much of the standard error since the last answer as the arena keeps of a turn."""
        file = self._stderr.fileno()
        size = os.fstat(file).st_size
        start = self._stderr_read if self._stderr_read <= size else 0  # it has been cut
        self._stderr_read = size
        if start == size:
            return ""
        kept = HeadAndTail(TURN_ERRORS_BYTES)
        kept.add(os.pread(file, size - start, start))
        return kept.text()

    def _cut_stderr(self) -> None:
        """Drop all but the end of standard error if the file is too large. The attack: a bot fills the disk."""
        file = self._stderr.fileno()
        if (size := os.fstat(file).st_size) > STDERR_KEPT_BYTES:
            end = os.pread(file, STDERR_BYTES, size - STDERR_BYTES)
            os.ftruncate(file, 0)
            os.write(file, end)

    def kill(self) -> None:
        """Kill the bot and its child processes."""
        with contextlib.suppress(ProcessLookupError):  # all have ended by themselves
            os.killpg(self._process.pid, signal.SIGKILL)

    def _charge(self, spent_ms: float, limit_ms: int) -> None:
        """Pay the time beyond a limit from the bank, so that no bot loses for one turn that takes a little too long.

        Raises:
            _Fault: the bank is empty.
        """
        if not self._has_clock:
            return
        bank_ms = self._bank_ms
        self._bank_ms -= max(0.0, spent_ms - limit_ms)
        if self._bank_ms < 0:
            raise _Fault("time", "bot-home-time", used=round(spent_ms), limit=limit_ms, bank=round(bank_ms))

    def _await(self, stream: select.poll) -> None:
        """Wait until a stream is ready; kill a bot that takes too long, unless it only waits for a core.

        Raises:
            _Fault: the bot took too long.
        """
        while not stream.poll(max(0.0, min(POLL_MS, self._due_ms - _wall_ms()))):
            self._cut_stderr()
            if self._due_ms > _wall_ms():
                continue
            self._due_ms = self._deadline_ms + self._waited_ms()
            if self._due_ms <= _wall_ms():
                self.kill()
                raise _Fault("time", "bot-home-late", lacks="line-break" if self._unread else "all")

    def _waited_ms(self) -> float:
        """Return the longest wait of a thread for a core, in milliseconds since the first call for this answer."""
        now = _waits(self._process.pid)
        self._waits = self._waits or now
        return max((ms - self._waits.get(thread, 0.0) for thread, ms in now.items()), default=0.0)

    def _refuse_unasked(self) -> None:
        """Refuse output before a question, as the sandbox does, since it would be taken for the answer.

        If the bot has ended as well, or is ending, its exit code says more.

        Raises:
            _Fault: there is such output, or the bot has closed its standard output.
        """
        if not self._unread and not self._readable.poll(0):
            return
        self._unread = self._unread or os.read(self._output, _ANSWER_BYTES_MAX)
        why = unasked(again=self._was_asked) if self._unread else None
        raise self._ended(why, Message("bot-closed-output") if why is None else why)

    def _read(self, count: int, lines: list[str]) -> None:
        """Read ``count`` lines and append them to ``lines``, which after a fault holds those that came before it.

        Raises:
            _Fault: the answer is invalid, too large or too late, or the bot has ended.
        """
        while True:
            before = len(self._unread)
            *whole, self._unread = self._unread.split(b"\n", count)
            self._bytes_left -= before - len(self._unread)
            for line in whole:
                try:
                    text = line.decode()
                except UnicodeDecodeError as error:
                    raise _Fault("output", "bot-no-utf8") from error
                if "\0" in text:
                    raise _Fault("output", "bot-nul")
                lines.append(text.removesuffix("\r"))
            count -= len(whole)
            if not count:
                return
            self._read_more(begun=bool(lines))

    def _read_more(self, *, begun: bool = False) -> None:
        allowed = self._bytes_left - len(self._unread)
        if not allowed:
            raise _Fault("output", "bot-long-output", limit=_ANSWER_BYTES_MAX)
        self._await(self._readable)
        more = os.read(self._output, allowed)
        if not more:
            written = self._unread or (b"\n" if begun else b"")
            raise self._ended(half_answer(written), Message("bot-closed-output"))
        self._unread += more

    def _ended(self, begun: Message | None, lives: Message) -> _Fault:
        """Wait a moment for the end of the bot, and return its fault.

        Args:
            begun: about what it had written; None: nothing.
            lives: why it is at fault if it lives on.
        """
        try:
            code = self._process.wait(timeout=_DYING_SECONDS)
        except subprocess.TimeoutExpired:
            return _Fault("output", lives.kind, **lives.args)
        if code < 0:
            return _Fault("crashed", "bot-killed", signal=f"{-code} ({signal.strsignal(-code)})")
        if begun:
            return _Fault("crashed", "bot-exited-half", code=code, why=stored(begun))
        return _Fault("crashed", "bot-exited", code=code)


def _append_only_file() -> IO[bytes]:
    """Return a temporary file to which every process appends, also after the file was truncated."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_APPEND)
    return file


def _polled(stream: int, event: int) -> select.poll:
    """Return a poll object for one stream, which is faster than ``select.select`` when it is used repeatedly."""
    poll = select.poll()
    poll.register(stream, event)
    return poll


def _wall_ms() -> float:
    return time.monotonic() * 1_000


def _clock(pid: int) -> Callable[[], float]:
    """Return a function that reads a clock in milliseconds: the CPU time of a process on Linux, else wall time."""
    if sys.platform != "linux":
        return _wall_ms
    cpu_clock = ~pid << 3 | 2  # clock_getcpuclockid(3), which Python does not offer: CPUCLOCK_SCHED of a process
    return lambda: time.clock_gettime(cpu_clock) * 1_000


def _waits(pid: int) -> dict[str, float]:
    """Return how many milliseconds each thread of a process has waited for a core; empty where no kernel tells.

    It is the second number in ``schedstat``, see https://docs.kernel.org/scheduler/sched-stats.html.
    """
    waits = {}
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has ended
            waits[path.parent.name] = int(path.read_bytes().split()[1]) / 1e6
    return waits
