"""What a sandbox promises: the types shared by every backend and by those who use one.

A backend starts one untrusted program inside walls and lets it answer questions over its standard streams. Everything
that goes wrong is raised as the fault of one side: ``BotFault`` (the program's) or ``PlatformFault`` (ours).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self


class Verdict(StrEnum):
    """Why a program was ended before its time."""

    CRASHED = "crashed"
    """It ended by itself: an exit code or a signal of its own."""
    TIME = "time"
    """It used more CPU time, or far more wall time, than its turn allows."""
    MEMORY = "memory"
    """It was killed at its memory limit."""
    OUTPUT = "output"
    """Too much output, no text, or a closed stream."""
    SECURITY = "security"
    """A forbidden system call killed it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use while it lives. One table for every backend; the units stand in the names."""

    memory_mib: int = 256
    """Memory of all its processes together, tmpfs included."""
    pids_max: int = 64
    """Processes and threads at once."""
    open_files_max: int = 128
    """File descriptors a process."""
    file_mib: int = 16
    """Size of one written file."""
    tmp_mib: int = 32
    """Size of /tmp, the only place that can be written."""
    tmp_inodes_max: int = 2_000
    """Files in /tmp, where the backend can limit them."""
    out_mib: int = 64
    """What a build step may leave in /out, where it has one."""
    stderr_kib: int = 64
    """What is kept of standard error: half from the head, half from the tail."""
    start_cpu_ms: int = 5_000
    """CPU from start to being ready to be asked: an interpreter's start-up is never charged to a turn."""


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """What one answer may cost."""

    cpu_ms: int
    """CPU time of all its processes between the question and the answer."""
    answer_lines: int = 1
    """Lines that make a whole answer."""
    output_bytes: int = 65_536
    """Bytes of a whole answer."""

    @property
    def wall_ms(self) -> int:
        """The far limit behind the CPU clock, so that a busy machine makes no bot lose (five times and a second)."""
        return 5 * self.cpu_ms + 1_000


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run: a folder that is mounted read-only at /bot, and the command, run with /bot as its folder."""

    root: Path
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, and what it cost."""

    lines: tuple[str, ...]
    cpu_ms: float
    wall_ms: float
    waited_ms: float = 0.0
    """How long it was ready to run and other programs of this machine had the cores."""
    stderr: str = ""
    """Head and tail of what it wrote to standard error since the last answer."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program has used since it started."""

    cpu_ms: float
    wall_ms: float
    memory_peak_mib: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an author needs to see of a fault. Bytes a bot wrote are decoded with replacement and never interpreted."""

    exit_code: int | None = None
    signal: int | None = None
    last_input: tuple[str, ...] = ()
    last_output: str = ""
    stderr: str = ""
    turn_stderr: str = ""
    """Of it, head and tail of what was written since the last answer."""
    cpu_ms: float = 0.0
    """Since the question; of its start or of a build step, where that was at fault."""
    wall_ms: float = 0.0
    """Likewise."""
    waited_ms: float = 0.0
    """How long, in this turn, it was ready to run and other programs of this machine had the cores."""
    memory_peak_mib: float = 0.0
    """Since it began."""


class BotFault(Exception):  # noqa: N818 - faults are the field's word
    """The program broke a limit or died: its match goes on without it."""

    def __init__(self, verdict: Verdict, sentence: str, evidence: Evidence | None = None) -> None:
        super().__init__(sentence)
        self.verdict = verdict
        self.sentence = sentence
        self.evidence = evidence or Evidence()


class PlatformFault(Exception):  # noqa: N818
    """Something of ours failed (no engine, disk full, a wall missing): nobody loses for it, the work is done again."""


class NoSandbox(PlatformFault):
    """This machine cannot build the walls: the sentence says what is missing and what to install. Nothing is run."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a program that is run to its end (a compiler, a syntax check) ended."""

    exit_code: int
    output: str
    """Head and tail of standard output and error, mixed."""
    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0, 0.0))


class Process(Protocol):
    """One running program. Use it as a context manager: leaving kills all of it."""

    def ask(self, lines: list[str], limits: TurnLimits) -> Answer:
        """Write the lines, wait for a whole answer. The program is frozen before and after.

        Raises:
            BotFault: it died, was out of time or memory, or answered what no text is.
            PlatformFault: the sandbox itself failed.
        """

    def stderr(self) -> str:
        """Return head and tail of what it has written to standard error."""

    def usage(self) -> Usage:
        """Return what it has used so far."""

    def kill(self) -> None:
        """End all its processes and remove every trace. May be called twice."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Sandbox(Protocol):
    """A backend."""

    name: str

    def start(self, program: Program, limits: Limits) -> Process:
        """Start a program inside the walls. It is frozen until it is asked; a fault of its start is raised then.

        Raises:
            PlatformFault: it could not be started.
        """

    def run(self, program: Program, limits: Limits, cpu_ms: int, out: Path | None = None) -> RunResult:
        """Run a program to its end (a build step: a compiler, a syntax check).

        Args:
            program: What to run.
            limits: What it may use.
            cpu_ms: CPU time of all its processes; the wall limit follows as for a turn.
            out: An empty folder that receives what the program left in /out, regular files and folders only. Without
                it there is no /out.

        Raises:
            BotFault: it broke a limit, or left something in /out that is no regular file.
            PlatformFault: it could not be started.
        """

    def close(self) -> None:
        """End what was started ahead. For when nothing more is run."""
