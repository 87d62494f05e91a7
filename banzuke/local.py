"""Bots as plain child processes, for matches at home.

There is no sandbox here: a bot may do whatever its user may, so run only bots you trust. Time is charged roughly: the
CPU of the bot's own process on Linux (not of its children), wall time elsewhere; nothing is frozen between turns. An
answer that does not come at all ends the match after five times its limit and a second; on Linux, what the bot waits
for a core does not count.
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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Protocol

from core.referee import Ask, Reply
from core.text import ending

BANK_SHARE = 0.1
"""Of each limit: what may be used beyond limits later on, as in the arena."""
START_MS = 5_000
"""What the start of an interpreter may cost on top of the first answer."""
STDERR_BYTES = 2_000
"""How much of the end of standard error is shown."""
STDERR_SEARCHED_BYTES = 1 << 20
"""How much of its end is searched for the line that heads what is shown."""
STDERR_KEPT_BYTES = 4 << 20
"""How much of standard error may lie on the disk; beyond that all but its end is dropped."""
LOOK_MS = 200
"""So often we look whether there is more: a bot that never answers may write as fast as the disk takes it."""
_ANSWER_BYTES_MAX = 65_536
"""As in the arena, so that a flood has the same verdict here."""


class _Fault(Exception):  # noqa: N818 - the field's word for it
    """The bot did not answer as it should."""

    def __init__(self, verdict: str, sentence: str) -> None:
        super().__init__(sentence)
        self.verdict = verdict


class Player(Protocol):
    """A running bot, with walls or without."""

    def ask(self, ask: Ask) -> Reply:
        """Write a question and wait for the whole answer, or for what went wrong."""

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error."""


@contextlib.contextmanager
def local_bot(command: str, folder: Path | None = None, *, clock: bool = True) -> Iterator[LocalBot]:
    """Run a bot by a shell-like command; leaving kills its process group.

    Args:
        command: what one would type.
        folder: where it is started; None: here.
        clock: whether an answer may come too late.

    Raises:
        OSError: there is no such program.
        ValueError: the command is empty or has an open quote.
    """
    argv = shlex.split(command)
    if not argv:
        raise ValueError("the command is empty")
    with (
        _growing_file() as stderr,
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
    """One running bot."""

    def __init__(self, process: subprocess.Popen[bytes], stderr: IO[bytes], *, clock: bool = True) -> None:
        self._process = process
        self._input = process.stdin.fileno()  # type: ignore[union-attr]  # a PIPE
        self._output = process.stdout.fileno()  # type: ignore[union-attr]  # a PIPE
        os.set_blocking(self._input, False)
        self._room, self._answers = _polled(self._input, select.POLLOUT), _polled(self._output, select.POLLIN)
        self._written = b""  # and not yet taken as an answer
        self._stderr = stderr
        self._has_clock = clock
        self._spent_ms = _clock(process.pid)
        self._start_ms = START_MS
        self._bank_ms = 0.0
        self._deadline_ms = 0.0
        self._due_ms = 0.0
        """When to look next whether the answer comes too late."""
        self._waits: dict[str, float] = {}
        """For how long each thread had waited for a core when the answer became slow: milliseconds."""
        self._bytes_left = 0
        """Of the answer."""

    def ask(self, ask: Ask) -> Reply:
        """Write a question and wait for the whole answer, or for what went wrong."""
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
            self._refuse_early_output()
            self._write(ask.lines)
            self._read(ask.answer_lines, lines)
            spent_ms = self._spent_ms() - spent_ms
            self._charge(spent_ms, limit_ms)
            self._cut_stderr()
        except _Fault as fault:
            return Reply(lines, 0.0, _wall_ms() - wall_ms, fault.verdict, str(fault))
        return Reply(lines, spent_ms, _wall_ms() - wall_ms)

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error."""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - STDERR_SEARCHED_BYTES))
        text = self._stderr.read().decode(errors="replace")
        return ending(text, max(0, len(text) - STDERR_BYTES))

    def _cut_stderr(self) -> None:
        """Drop what stands before the end of standard error, if that is much: a flood must not fill the disk."""
        file = self._stderr.fileno()
        if (size := os.fstat(file).st_size) > STDERR_KEPT_BYTES:
            end = os.pread(file, STDERR_BYTES, size - STDERR_BYTES)
            os.ftruncate(file, 0)
            os.write(file, end)

    def kill(self) -> None:
        """End the bot with its children."""
        with contextlib.suppress(ProcessLookupError):  # all have ended by themselves
            os.killpg(self._process.pid, signal.SIGKILL)

    def _charge(self, spent_ms: float, limit_ms: int) -> None:
        """Take what is beyond a limit out of the bank: one turn that takes a little longer is no sudden death."""
        if not self._has_clock:
            return
        bank_ms = self._bank_ms
        self._bank_ms -= max(0.0, spent_ms - limit_ms)
        if self._bank_ms < 0:
            allowed = f"{limit_ms} are allowed, and its bank of overrun held {bank_ms:.0f}"
            raise _Fault("time", f"The answer took {spent_ms:.0f} ms, {allowed}.")

    def _await(self, stream: select.poll) -> None:
        """Wait until a stream is ready, and kill a bot that takes too long itself: not one that waits for a core."""
        while not stream.poll(max(0.0, min(LOOK_MS, self._due_ms - _wall_ms()))):
            self._cut_stderr()
            if self._due_ms > _wall_ms():
                continue
            self._due_ms = self._deadline_ms + self._waited_ms()
            if self._due_ms <= _wall_ms():
                self.kill()
                lack = ": its last line does not end with a line break" if self._written else ""
                raise _Fault("time", f"No whole answer came in time{lack}.")

    def _waited_ms(self) -> float:
        """Return for how long a thread of the bot has waited for a core since this was asked first of this answer."""
        now = _waits(self._process.pid)
        self._waits = self._waits or now
        return max((ms - self._waits.get(thread, 0.0) for thread, ms in now.items()), default=0.0)

    def _write(self, lines: Sequence[str]) -> None:
        unsent = "\n".join([*lines, ""]).encode()
        while unsent:
            try:
                unsent = unsent[os.write(self._input, unsent) :]
            except BlockingIOError:
                self._await(self._room)
            except BrokenPipeError as error:
                self._take_what_is_there()
                raise self._ended() from error

    def _read(self, count: int, lines: list[str]) -> None:
        """Add so many lines to those of the answer; what came before a fault stays there."""
        while True:
            before = len(self._written)
            *whole, self._written = self._written.split(b"\n", count)
            self._bytes_left -= before - len(self._written)
            for line in whole:
                lines.append(_text(line))
            count -= len(whole)
            if not count:
                return
            self._read_more(begun=bool(lines))

    def _take_what_is_there(self) -> None:
        """Take in what a bot had written when it ended."""
        if self._answers.poll(0):
            self._written += os.read(self._output, _ANSWER_BYTES_MAX)

    def _read_more(self, *, begun: bool = False) -> None:
        allowed = self._bytes_left - len(self._written)
        if not allowed:
            raise _Fault("output", f"The answer has more than {_ANSWER_BYTES_MAX} bytes.")
        self._await(self._answers)
        more = os.read(self._output, allowed)
        if not more:
            raise self._ended(begun=begun)
        self._written += more

    def _refuse_early_output(self) -> None:
        """Refuse what was written before the question, as the sandbox does: it would be taken for the answer."""
        if self._answers.poll(0):
            self._read_more()
        if self._written:
            raise _Fault("output", "The bot wrote to its standard output before it was asked.")

    def _ended(self, *, begun: bool = False) -> _Fault:
        """Return how the bot ended, which has closed its streams; ``begun``: it had written lines of its answer."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return _Fault("output", "The bot closed its input or output.")
        how = f"by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"with exit code {code}"
        said = " Its answer has fewer lines than were asked for." if begun else ""
        if self._written:
            said = " The last line that it wrote does not end with a line break."
            said = " It had written before it was asked." if self._written.endswith(b"\n") else said
        return _Fault("crashed", f"The bot ended {how}.{said}")


def _growing_file() -> IO[bytes]:
    """Return a file of which every process writes at the end, wherever that is by then."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - its user closes it
    fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_APPEND)
    return file


def _text(line: bytes) -> str:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise _Fault("output", "The answer is no UTF-8 text.") from error
    if "\0" in text:
        raise _Fault("output", "The answer is no text: it holds a NUL character.")
    return text.removesuffix("\r")


def _polled(stream: int, event: int) -> select.poll:
    """Return what waits for one stream: asked again and again, it is much quicker than ``select.select``."""
    poll = select.poll()
    poll.register(stream, event)
    return poll


def _wall_ms() -> float:
    return time.monotonic() * 1_000


def _clock(pid: int) -> Callable[[], float]:
    """Return a clock of milliseconds: of the process's CPU time where the system has one, else of wall time."""
    if sys.platform != "linux":
        return _wall_ms
    cpu_clock = ~pid << 3 | 2  # clock_getcpuclockid(3), which Python does not offer: CPUCLOCK_SCHED of a process
    return lambda: time.clock_gettime(cpu_clock) * 1_000


def _waits(pid: int) -> dict[str, float]:
    """Return for how many milliseconds each thread of a process has waited for a core, as far as the system tells.

    The second number of a thread, see https://docs.kernel.org/scheduler/sched-stats.html.
    """
    waits = {}
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has ended
            waits[path.parent.name] = int(path.read_bytes().split()[1]) / 1e6
    return waits
