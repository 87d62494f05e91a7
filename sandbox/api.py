"""The interface of a sandbox: the types that all backends and all callers share.

A backend starts one untrusted program in isolation and lets it answer questions over its standard streams. Every
failure is raised either as ``BotFault`` (the program is to blame) or as ``PlatformFault`` (this machine is).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from core.message import Message, said


class Verdict(StrEnum):
    """Why a program was stopped, or counts as failed."""

    CRASHED = "crashed"
    """The program ended by itself, by an exit code or a signal."""
    TIME = "time"
    """The program used more CPU time than its turn allows, or far more wall time."""
    MEMORY = "memory"
    """The program was killed at its memory limit."""
    OUTPUT = "output"
    """The program wrote too much or something that is not text, or closed a stream."""
    SECURITY = "security"
    """The program was killed for a forbidden system call."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use as long as it runs, the same for every backend. The names end in the units."""

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
    """What a program may use to answer one question."""

    cpu_ms: int
    """CPU time of all the program's processes between the question and the answer."""
    answer_lines: int = 1
    """How many lines make a complete answer."""
    output_bytes: int = 65_536
    """The most bytes that an answer may have."""

    @property
    def wall_ms(self) -> int:
        """The wall time limit: so much longer than the CPU limit that a busy machine makes no bot lose."""
        return 5 * self.cpu_ms + 1_000


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run: a folder that is mounted read-only at /bot, and a command that is run in /bot."""

    root: Path
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer, and the time that it took."""

    lines: tuple[str, ...]
    cpu_ms: float
    wall_ms: float
    waited_ms: float = 0.0
    """How long the program was ready to run while other programs of this machine used the cores."""
    stderr: str = ""
    """Head and tail of what the program wrote to standard error since its last answer."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program has used since it started."""

    cpu_ms: float
    wall_ms: float
    memory_peak_mib: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the author of a bot needs to see of its fault. Bytes of the bot that are not UTF-8 become U+FFFD."""

    exit_code: int | None = None
    signal: int | None = None
    last_input: tuple[str, ...] = ()
    last_output: str = ""
    stderr: str = ""
    turn_stderr: str = ""
    """Head and tail of what was written to standard error since the last answer."""
    cpu_ms: float = 0.0
    """CPU time since the question, or since the start where the start or a build step failed."""
    wall_ms: float = 0.0
    """Wall time since the same moment as ``cpu_ms``."""
    waited_ms: float = 0.0
    """How long the program was ready to run in this turn while other programs of this machine used the cores."""
    memory_peak_mib: float = 0.0
    """The most memory that the program has used since it was started."""


class BotFault(Exception):  # noqa: N818 - faults are the field's word
    """The program broke a limit or died: its match goes on without it."""

    def __init__(self, verdict: Verdict, why: Message, evidence: Evidence | None = None) -> None:
        super().__init__(str(why))
        self.verdict = verdict
        self.why = why
        self.evidence = evidence or Evidence()


class PlatformFault(Exception):  # noqa: N818
    """The platform failed (no engine, disk full, no isolation): no bot loses for it, and the work is done again.

    Args:
        why: what happened; a text is an English sentence for the administrator of this machine.
    """

    def __init__(self, why: Message | str) -> None:
        super().__init__(str(why))
        self.why = why if isinstance(why, Message) else said(why)


class NoSandbox(PlatformFault):
    """This machine cannot isolate programs: the sentence says what is missing and what to install. Nothing is run."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a program that was run to its end (a compiler, a syntax check)."""

    exit_code: int
    output: str
    """Head and tail of standard output and standard error, in the order in which they were written."""
    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0, 0.0))


class Process(Protocol):
    """One running program. As a context manager it kills the program on leaving."""

    def ask(self, lines: list[str], limits: TurnLimits) -> Answer:
        """Write the lines and wait for a complete answer. The program is frozen before and after.

        Raises:
            BotFault: the program died, broke a limit, or answered something that is not text.
            PlatformFault: the sandbox itself failed.
        """

    def stderr(self) -> str:
        """Return head and tail of what the program has written to standard error."""

    def usage(self) -> Usage:
        """Return what the program has used so far."""

    def kill(self) -> None:
        """Kill all processes of the program and remove its files. A second call does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Sandbox(Protocol):
    """A backend: one way to run programs in isolation."""

    name: str

    def start(self, program: Program, limits: Limits) -> Process:
        """Start a program and freeze it until it is asked. If its start fails, its first ``ask`` raises that fault.

        Raises:
            PlatformFault: the program could not be started.
        """

    def run(self, program: Program, limits: Limits, cpu_ms: int, out: Path | None = None) -> RunResult:
        """Run a program to its end: a build step, such as a compiler or a syntax check.

        Args:
            program: What to run.
            limits: What the program may use.
            cpu_ms: Limit of the CPU time of all its processes; the wall time limit follows from it.
            out: An empty folder that receives the files and folders that the program left in /out. If None, the
                program has no /out.

        Raises:
            BotFault: the program broke a limit, or left something in /out that is no regular file.
            PlatformFault: the program could not be started.
        """

    def close(self) -> None:
        """End what was started in advance. Call it when no further program will be run."""
