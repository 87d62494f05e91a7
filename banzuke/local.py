"""Runs bots as plain child processes, without a sandbox, for matches at home.

A bot may do whatever its user may, so run only bots that you trust. Its answers are read as in the sandbox, but time is
measured roughly: on Linux the CPU time of the bot's process without its children, elsewhere wall time; bots run on
between their turns. A bot that does not answer at all is killed after five times its limit and a second; on Linux, time
in which it waits for a core does not count.
"""

from __future__ import annotations

import contextlib
import math
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np

from core.message import Message
from core.referee import Ask, Reply
from core.text import ending
from games.registry import game_named
from sandbox import verdicts
from sandbox.api import Answer, BotFault, Evidence, Limits, Process, TurnLimits, Verdict
from sandbox.capture import HeadAndTail, decoded
from sandbox.clock import Bank
from sandbox.streams import EVIDENCE_BYTES, PIPE_MAX, NoAnswer, Streams
from sandbox.waits import threads_of

START_MS = 5_000
"""The time that the first answer may take longer, for the start of an interpreter."""
STDERR_CHARS = 2_000
"""How much of the end of standard error is shown."""
_DYING_SECONDS = 1
"""How long to wait for the end of a bot that has written too much or closed its output: it may be about to end."""
_LOOK_MS = 10
"""The time between two looks whether such a bot has ended."""


class RandomBot:
    """Answers at random what the game's rules allow, without a process; it has the methods of ``ProcessBot``."""

    def __init__(self, game: str) -> None:
        self._game = game_named(game)
        self._rng = np.random.default_rng()

    def ask(self, ask: Ask) -> Reply:
        """Return a random legal answer."""
        return Reply(self._game.random_answer(ask.state, 0, ask.seat, self._rng))

    def stderr_tail(self) -> str:
        """Return nothing: there is no program that could write."""
        return ""


class ProcessBot:
    """A bot that is a process, in a sandbox or not, as the referee asks it."""

    def __init__(self, process: LocalProcess | Process) -> None:
        self._process = process

    def ask(self, ask: Ask) -> Reply:
        """Write a question and return the answer.

        If the bot was at fault, the reply has the verdict and its reason, and the output that came until then.
        """
        try:
            answer = self._process.ask(list(ask.lines), TurnLimits(ask.cpu_ms, ask.answer_lines))
        except BotFault as fault:
            seen = fault.evidence
            return Reply(
                seen.last_output.splitlines(), seen.cpu_ms, seen.wall_ms, fault.verdict, fault.why, seen.turn_stderr
            )
        return Reply(answer.lines, answer.cpu_ms, answer.wall_ms, stderr=answer.stderr)

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error, at most ``STDERR_CHARS``."""
        text = self._process.stderr()
        return ending(text, max(0, len(text) - STDERR_CHARS))


RunningBot: TypeAlias = RandomBot | ProcessBot
"""A bot that plays, as the referee asks it; see ``ProcessBot`` for the methods."""


@contextlib.contextmanager
def local_process(command: str, folder: Path | None = None, *, clock: bool = True) -> Iterator[LocalProcess]:
    """Start a bot by a command line with the quoting of a shell; yield it, and kill its process group at the end.

    ``folder`` is the one in which it is started (None: the current one), ``clock`` whether it has a time limit.

    Raises:
        OSError: there is no such program.
        ValueError: the command is empty or has an open quote.
    """
    argv = shlex.split(command)
    if not argv:
        raise ValueError("the command is empty")
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - the user's own command on the user's own machine
        argv, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, process_group=0, cwd=folder
    ) as popen:
        process = LocalProcess(popen, clock=clock)
        try:
            yield process
        finally:
            process.kill()


class LocalProcess:
    """One bot that runs as a child process, asked by the rules of ``sandbox.process.BoxedProcess``."""

    def __init__(self, popen: subprocess.Popen[bytes], *, clock: bool = True) -> None:
        self._popen = popen
        stdin, stdout, stderr = (pipe.fileno() for pipe in (popen.stdin, popen.stdout, popen.stderr) if pipe)
        for stream in (stdin, stdout, stderr):
            os.set_blocking(stream, False)
        self._streams = Streams(stdin, stdout, stderr, None, HeadAndTail(Limits().stderr_kib * 1024))
        self._streams.listen()
        self._was_asked = False
        self._has_clock = clock
        self._spent_ms = _clock(popen.pid)
        self._start_ms = START_MS
        self._bank = Bank()
        self._deadline_ms = 0.0
        self._due_ms = 0.0
        """When to check next whether the answer comes too late (a reading of ``_wall_ms``)."""
        self._waits: dict[int, float] = {}
        """How long each thread had waited for a core when the answer became slow, in milliseconds."""

    def ask(self, lines: list[str], limits: TurnLimits) -> Answer:
        """Write the lines and wait for a complete answer.

        Raises:
            BotFault: the bot died, took too long, or answered something that is not text.
        """
        start_ms, self._start_ms = self._start_ms, 0
        wall_ms, spent_ms = _wall_ms(), self._spent_ms()
        self._deadline_ms, self._waits = wall_ms + limits.wall_ms + start_ms, {}
        self._due_ms = wall_ms + limits.cpu_ms if self._has_clock else math.inf
        try:
            end = self._await_answer(lines, limits)
            used_ms = self._spent_ms() - spent_ms
            self._streams.refuse_excess(end, limits.output_bytes)
            self._charge(used_ms, limits.cpu_ms, start_ms)
            answered = self._streams.take_lines(end)
        except (BotFault, NoAnswer) as fault:
            evidence = Evidence(
                last_output=decoded(bytes(self._streams.output[-EVIDENCE_BYTES:])),
                turn_stderr=self._streams.turn_errors.text(),
                wall_ms=_wall_ms() - wall_ms,
            )
            verdict = fault.verdict if isinstance(fault, BotFault) else Verdict.OUTPUT
            raise BotFault(verdict, fault.why, evidence) from None
        errors = self._streams.turn_errors.text()
        self._streams.turn_begins()
        return Answer(answered, used_ms, _wall_ms() - wall_ms, stderr=errors)

    def stderr(self) -> str:
        """Return head and tail of what the bot has written to standard error."""
        self._streams.wait(0)
        return self._streams.errors.text()

    def kill(self) -> None:
        """Kill the bot and its child processes."""
        with contextlib.suppress(ProcessLookupError):  # all have ended by themselves
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _await_answer(self, lines: list[str], limits: TurnLimits) -> int:
        """Write the lines and wait until the answer is complete; return where it ends in the output.

        Raises:
            BotFault: the bot wrote without being asked, died, closed its output, or took too long.
            NoAnswer: the answer is too long.
        """
        streams = self._streams
        streams.wait(0)
        if streams.output:
            early = verdicts.unasked(again=self._was_asked)
            raise self._fault_of_end(early, early)
        self._was_asked = True
        streams.send("\n".join([*lines, ""]).encode())
        while (end := streams.answer_end(limits.answer_lines)) < 0:
            streams.refuse_excess(len(streams.output), limits.output_bytes)
            if streams.output_closed:
                raise self._fault_of_end(verdicts.half_answer(bytes(streams.output)), Message("bot-closed-output"))
            self._refuse_late()
            streams.wait(-1 if math.isinf(self._due_ms) else max(0, math.ceil(self._due_ms - _wall_ms())))
        return end

    def _fault_of_end(self, begun: Message | None, lives: Message) -> BotFault:
        """Wait a moment for the end of the bot, and return its fault: ``lives`` tells why if it lives on.

        ``begun`` tells what is wrong with what the bot had written; None: nothing is.
        """
        until_ms = _wall_ms() + 1_000 * _DYING_SECONDS
        while (code := self._popen.poll()) is None:
            if _wall_ms() > until_ms or len(self._streams.output) > PIPE_MAX:
                return BotFault(Verdict.OUTPUT, lives)
            self._streams.wait(_LOOK_MS)  # a bot whose pipe of standard error is full does not end until it is read
        self._streams.wait(0)  # for what it wrote to standard error at its end
        return BotFault(*verdicts.of_exit(code if code >= 0 else 128 - code, Limits(), 0, begun))

    def _refuse_late(self) -> None:
        """Kill a bot that takes too long, unless it only waits for a core.

        Raises:
            BotFault: the bot took too long.
        """
        if self._due_ms > _wall_ms():
            return
        self._due_ms = self._deadline_ms + self._waited_ms()
        if self._due_ms <= _wall_ms():
            self.kill()
            lacks = verdicts.lacks(bytes(self._streams.output))
            raise BotFault(Verdict.TIME, Message("bot-home-late", {"lacks": lacks}))

    def _waited_ms(self) -> float:
        """Return the longest wait of a thread for a core, in milliseconds since the first call for this answer."""
        now = {number: thread.waited_ms for number, thread in threads_of([self._popen.pid]).items()}
        self._waits = self._waits or now
        return max((ms - self._waits.get(number, 0.0) for number, ms in now.items()), default=0.0)

    def _charge(self, used_ms: float, cpu_ms: int, start_ms: int) -> None:
        """Pay the time beyond a limit from the bank, so that no bot loses for one turn that takes a little too long.

        ``used_ms`` is the time used; the limit is ``cpu_ms`` and, for the first answer, ``start_ms`` more.

        Raises:
            BotFault: the bank is empty.
        """
        self._bank.turn_begins(cpu_ms)
        bank_ms, limit_ms = self._bank.left_ms, cpu_ms + start_ms
        self._bank.turn_ends(limit_ms, used_ms, rested_ms=0.0)
        if self._has_clock and self._bank.left_ms < 0:
            values = {"used": round(used_ms), "limit": limit_ms, "bank": round(bank_ms)}
            raise BotFault(Verdict.TIME, Message("bot-home-time", values))


def _wall_ms() -> float:
    return time.monotonic() * 1_000


def _clock(pid: int) -> Callable[[], float]:
    """Return a function that reads a clock in milliseconds: the CPU time of a process on Linux, else wall time."""
    if sys.platform != "linux":
        return _wall_ms
    cpu_clock = ~pid << 3 | 2  # clock_getcpuclockid(3), which Python does not offer: CPUCLOCK_SCHED of a process
    return lambda: time.clock_gettime(cpu_clock) * 1_000
