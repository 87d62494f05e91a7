"""One running program: asks it questions, measures its time and decides its verdict, in the same way for each backend.

A backend supplies a ``Box``: the streams, the control group and the exit code of one started program.

The CPU time of the whole group is read when an answer is complete, and a turn is charged for all CPU time since the
last reading. So work that a program does after its answer, before all its processes have stopped, is charged to its
next turn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Protocol, Self

from core.message import Message
from sandbox import verdicts
from sandbox.activity import asleep, holds
from sandbox.api import Answer, BotFault, Evidence, Limits, PlatformFault, TurnLimits, Usage, Verdict
from sandbox.capture import HeadAndTail, decoded
from sandbox.clock import Bank, Clock
from sandbox.freezer import Freezer, finish_pending, has_pending
from sandbox.group import Group
from sandbox.streams import EVIDENCE_BYTES, NoAnswer, Streams
from sandbox.waits import Rests, Waits

STEP_WALL_FACTOR = 2
"""The wall time limit of a build step: its CPU limit times this, and a second more."""
STEP_REST_MS = 20_000
"""How long a build step may rest in all. The attack: builds sleep for as long as they can, so that workers have no time
for others."""

MOMENT_MS = 1
"""If another program did not stop at once, ``finish_pending`` is called after this time, or after the answer."""

DYING_SECONDS = 0.2
"""How long the end of a program is awaited after it has closed its streams: a process that dies does both."""


class Box(Protocol):
    """One started program, as a backend gives it to ``BoxedProcess``. The descriptors are non-blocking."""

    group: Group
    stdin: int
    stdout: int
    stderr: int
    ended: int
    """A descriptor that becomes readable when the program has ended."""

    helpers: frozenset[int]
    """Numbers of the backend's own processes in the group: they are not frozen, and may hold the streams open."""

    @property
    def helpers_cpu_ms(self) -> float:
        """CPU time of the group before the program could run: the helpers used it, and nobody is charged for it."""

    def exit_code(self) -> int:
        """Wait for the end and return the exit code, 128 + N for signal N.

        Raises:
            PlatformFault: the backend failed before it started the program.
        """

    def destroy(self) -> None:
        """Kill all processes, close the streams, remove what the backend created for the program."""


class BoxedProcess:
    """A started program and the rules of asking it; see ``sandbox.api.Process`` for the public methods."""

    def __init__(self, box: Box, limits: Limits) -> None:
        self._box = box
        self._group = box.group
        self._limits = limits
        self._streams = Streams(box.stdin, box.stdout, box.stderr, box.ended, HeadAndTail(limits.stderr_kib * 1024))
        self._started = time.monotonic()
        self._start_mark_ms = box.helpers_cpu_ms
        self._alive = True
        self._fault_of_start: BotFault | None = None
        self._question: list[str] = []
        self._mark_ms = 0.0
        self._clock: Clock | None = None
        self._bank = Bank()
        self._waits = Waits(box.group)
        self._waited_ms: float | None = 0.0
        """How long the program waited for a core in this turn; None: not measured yet."""
        self._freezer = Freezer(box.group, box.helpers)
        self._usage = Usage(0.0, 0.0, 0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def started(self) -> Self:
        """Wait until the program has started and freeze it; return this process. A failed start is raised by ``ask``.

        The attack: all processes of a program compute during the first turn of another program, so that the machine
        looks too busy for that one.

        Raises:
            PlatformFault: the sandbox failed; the program has been killed.
        """
        with ExitStack() as undo:
            undo.callback(self.kill)
            with _os_errors_as_platform_faults():
                try:
                    self._await_ready()
                except BotFault as fault:
                    self._fault_of_start = fault
                self._freeze()
                self._waits = Waits(self._group)  # counts from here on, since waits during the start belong to no turn
            undo.pop_all()
        return self

    def stderr(self) -> str:
        """Return head and tail of what the program has written to standard error."""
        if self._alive:
            self._streams.wait(0)
        return self._streams.errors.text()

    def usage(self) -> Usage:
        """Return what the program has used so far, or until it was killed."""
        if self._alive:
            wall_ms = (time.monotonic() - self._started) * 1e3
            cpu_ms = self._group.cpu_ms() - self._start_mark_ms
            self._usage = Usage(cpu_ms, wall_ms, self._group.memory_peak_mib())
        return self._usage

    def kill(self) -> None:
        """Kill all processes of the program and remove its files. A second call does nothing."""
        if self._alive:
            self.usage()
            self._alive = False
            self._freezer.close()
            self._box.destroy()

    def ask(self, lines: list[str], limits: TurnLimits) -> Answer:
        """Write the lines and wait for a complete answer."""
        if self._fault_of_start:
            raise self._fault_of_start
        self._clock, self._waited_ms = None, 0.0
        with _os_errors_as_platform_faults():
            self._streams.wait(0)
            early = verdicts.unasked(again=bool(self._question)) if self._streams.output else None
            if self._streams.ended:  # checked first, since the exit code says more than the early output
                raise self._fault_of_end(early)
            if early:
                raise self._fault(Verdict.OUTPUT, early)
            self._question = lines
            try:
                return self._turn("\n".join([*lines, ""]).encode(), limits)
            except NoAnswer as refusal:
                raise self._fault(Verdict.OUTPUT, refusal.why) from None

    def finish(self, cpu_ms: int, take: Callable[[bytes], object]) -> int:
        """Let the program run to its end and return its exit code.

        Args:
            cpu_ms: The limit of its CPU time.
            take: Called with each part of its standard output.

        Raises:
            BotFault: the program broke a limit.
            PlatformFault: the sandbox failed.
        """
        clock = self._clock = Clock(self._group, cpu_ms, STEP_WALL_FACTOR * cpu_ms + 1_000, self._start_mark_ms)
        rests = Rests(self._group)
        with _os_errors_as_platform_faults():
            self._streams.listen()
            while not self._streams.ended:
                self._check(clock, "step")
                if rests.look() > STEP_REST_MS:
                    raise self._fault_of_time(Message("build-rested", {"limit": STEP_REST_MS}))
                self._streams.wait(clock.patience_ms())
                take(bytes(self._streams.output))
                self._streams.output.clear()
            kills, code = self._memory_kills(), self._exit_code()
        if kills or code == verdicts.KILLED_BY_FILTER:
            raise self._fault(*verdicts.of_exit(code, self._limits, kills), code)
        return code

    def _exit_code(self) -> int:
        try:
            return self._box.exit_code()
        except PlatformFault as fault:
            raise PlatformFault(f"{fault} {self.stderr()}".strip()) from fault

    def _await_ready(self) -> None:
        """Wait until the program sleeps for the first time: then its start is over, which is charged to no turn."""
        start_ms = self._limits.start_cpu_ms
        clock = self._clock = Clock(self._group, start_ms, TurnLimits(start_ms).wall_ms, self._start_mark_ms)
        before = (-1.0, False)
        while not self._streams.ended:
            now = (clock.used_ms(), asleep(self._group))
            # Two checks in a row must agree: a starting runtime may sleep for a moment, and while the processes are
            # checked one after the other, one of them may start or collect another.
            if now == before and now[1]:
                break
            before = now
            self._check(clock, "start")
            self._streams.wait(1)
        self._mark_ms = self._group.cpu_ms()
        self._streams.listen()

    def _turn(self, question: bytes, limits: TurnLimits) -> Answer:
        self._waited_ms = None
        self._waits.turn_begins()
        self._bank.turn_begins(limits.cpu_ms)
        clock = self._clock = Clock(self._group, limits.cpu_ms, limits.wall_ms, self._mark_ms, self._bank.left_ms)
        try:
            self._streams.send(question)  # before the thaw, so that the program wakes up once and not twice
            self._freezer.thaw()
            self._await_answer(clock)
            while (end := self._streams.answer_end(limits.answer_lines)) < 0:
                self._streams.refuse_excess(len(self._streams.output), limits.output_bytes)
                if self._streams.ended:
                    raise self._fault_of_end(verdicts.half_answer(bytes(self._streams.output)))
                self._check(clock, "turn")
                self._waits.turn_lasts(clock.passed_ms())
                self._await_answer(clock)
            cpu_ms, wall_ms = clock.used_ms(), clock.passed_ms()
        finally:
            self._freeze()
        errors = self._streams.turn_errors.text() if self._streams.turn_errors else ""
        self._mark_ms += cpu_ms
        self._waited_ms, rested_ms = self._waits.turn_ends(wall_ms, cpu_ms)
        self._bank.turn_ends(limits.cpu_ms, cpu_ms, rested_ms)
        self._streams.refuse_excess(end, limits.output_bytes)
        if self._bank.left_ms < 0:
            raise self._fault(Verdict.TIME, verdicts.out_of_cpu(cpu_ms, limits.cpu_ms, clock.bank_ms, "turn"))
        if self._bank.rest_ms < 0:
            raise self._fault(Verdict.TIME, Message("bot-rested", {"limit": round(self._bank.rest_limit_ms)}))
        lines = self._streams.take_lines(end)
        self._streams.turn_begins()
        return Answer(lines, cpu_ms, wall_ms, self._waited_ms, errors)

    def _freeze(self) -> None:
        with suppress(PermissionError):  # not root: the program runs on, and is charged for its work in others' turns
            self._freezer.freeze()

    def _await_answer(self, clock: Clock) -> None:
        """Wait for output; meanwhile stop programs asked before this one that did not stop at once."""
        if has_pending():
            self._streams.wait(MOMENT_MS)
            finish_pending()
        else:
            self._streams.wait(min(self._waits.patience_ms(), clock.patience_ms()))

    def _check(self, clock: Clock, what: verdicts.What) -> None:
        """Raise a fault if the program has broken a limit; ``what`` names what the limit is for.

        A program that has ended by itself meanwhile gets the verdict of its end, and not that of a clock.
        """
        if self._memory_kills():
            raise self._fault(Verdict.MEMORY, verdicts.out_of_memory(self._limits))
        if clock.out_of_cpu():
            raise self._fault_of_time(verdicts.out_of_cpu(clock.used_ms(), clock.cpu_ms, clock.bank_ms, what))
        if clock.out_of_wall():
            if clock.starved():
                got = {"used": round(clock.used_ms()), "limit": clock.wall_ms}
                raise PlatformFault(Message("machine-overloaded", got))
            if not holds(self._group, self._box.stdout, self._box.helpers):
                raise self._fault(Verdict.OUTPUT, Message("bot-closed-output"))
            raise self._fault_of_time(
                verdicts.out_of_wall(clock.used_ms(), clock.wall_ms, what, bytes(self._streams.output))
            )

    def _memory_kills(self) -> int:
        """Return how many processes the kernel killed at the program's memory limit.

        Raises:
            PlatformFault: the kernel killed some although the program had not reached its limit.
        """
        stood = self._group.stood_at_memory_limit()  # read first, since the group may be deleted when the program ends
        kills = self._group.memory_kills()
        if kills and not (stood or self._group.stood_at_memory_limit()):
            held = {"held": round(self._group.memory_peak_mib()), "limit": self._limits.memory_mib}
            raise PlatformFault(Message("machine-short-of-memory", held))
        return kills

    def _fault_of_time(self, why: Message) -> BotFault:
        # Read the end of a program that has ended, or is ending: a dying process closes its streams first.
        deadline = time.monotonic() + DYING_SECONDS
        self._streams.wait(0)
        dying = self._streams.output_closed or self._streams.errors_closed
        while dying and not self._streams.ended and (left := deadline - time.monotonic()) > 0:
            self._streams.wait(math.ceil(left * 1e3))
        if self._streams.ended:
            return self._fault_of_end(verdicts.half_answer(bytes(self._streams.output)))
        if self._group.thrashes():
            return self._fault(Verdict.MEMORY, verdicts.out_of_memory(self._limits))
        return self._fault(Verdict.TIME, why)

    def _fault_of_end(self, begun: Message | None) -> BotFault:
        kills, code = self._memory_kills(), self._exit_code()  # in this order: the group may be deleted with the end
        return self._fault(*verdicts.of_exit(code, self._limits, kills, begun), code)

    def _fault(self, verdict: Verdict, why: Message, code: int | None = None) -> BotFault:
        usage, clock = self.usage(), self._clock
        if self._waited_ms is None and clock:
            self._waited_ms, _ = self._waits.turn_ends(clock.passed_ms(), clock.used_ms())
        evidence = Evidence(
            exit_code=code,
            signal=None if code is None else verdicts.signal_of(code),
            last_input=tuple(self._question),
            last_output=decoded(bytes(self._streams.output[-EVIDENCE_BYTES:])),
            stderr=self.stderr(),
            turn_stderr=self._streams.turn_errors.text(),
            cpu_ms=clock.used_ms() if clock else 0.0,
            wall_ms=clock.passed_ms() if clock else 0.0,
            waited_ms=self._waited_ms or 0.0,
            memory_peak_mib=usage.memory_peak_mib,
        )
        return BotFault(verdict, why, evidence)


class _os_errors_as_platform_faults:  # noqa: N801 - used like a function
    """Raise an ``OSError`` in the block as a ``PlatformFault``.

    A class, since ``contextlib.contextmanager`` would make each answer a microsecond slower.
    """

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError):
            raise PlatformFault(f"The sandbox failed: {error}") from error
