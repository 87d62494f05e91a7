"""The sentences an author reads, and which verdict an exit status means."""

from __future__ import annotations

import signal

from sandbox.api import Limits, Verdict

KILLED_BY_FILTER = 128 + signal.SIGSYS
"""Exit code of a program that the system call filter has killed."""


def of_exit(code: int, limits: Limits, memory_kills: int, begun: str = "") -> tuple[Verdict, str]:
    """Return verdict and sentence for a program that ended before it had answered.

    Args:
        code: its exit code; 128 + N: by signal N.
        limits: what it may use.
        memory_kills: of its processes, at the memory limit.
        begun: what is to be said of what it had written when it ended, if it had.
    """
    if memory_kills:
        return Verdict.MEMORY, out_of_memory(limits)
    if code == KILLED_BY_FILTER:
        return Verdict.SECURITY, "It was killed for a forbidden system call."
    if number := signal_of(code):
        return Verdict.CRASHED, f"It was killed by signal {_signal_name(number)}."
    if begun:
        return Verdict.CRASHED, f"It ended with exit code {code}. {begun}"
    return Verdict.CRASHED, f"It ended with exit code {code} before it had answered."


def signal_of(code: int) -> int | None:
    """Return the signal that an exit code stands for, None if for none.

    Many programs end by exit(-1), which is 255: no signal has the number 127.
    """
    number = code - 128
    return number if 0 < number <= signal.SIGRTMAX else None


def out_of_memory(limits: Limits) -> str:
    """Return the sentence for the memory limit."""
    return f"It was killed at its memory limit of {limits.memory_mib} MiB."


def out_of_cpu(used_ms: float, limit_ms: int, bank_ms: float, what: str) -> str:
    """Return the sentence for the CPU clock."""
    bank = f", and its bank of overrun held {bank_ms:,.0f} ms" if bank_ms else ""
    return f"It used {used_ms:,.0f} ms of CPU time; the limit for {what} is {limit_ms:,} ms{bank}."


def out_of_wall(used_ms: float, limit_ms: int, what: str, begun: bytes) -> str:
    """Return the sentence for the far wall limit; ``begun`` is what there is of an answer."""
    return (
        f"It did not finish {what} within {limit_ms:,} ms though it used only {used_ms:,.0f} ms of CPU time: "
        f"{_lacks(begun)}."
    )


def out_of_rest(limit_ms: float) -> str:
    """Return the sentence for a program that has slept, or waited for something, too long in all its turns."""
    return f"It waited for something for more than {limit_ms:,.0f} ms in all its turns; compute, or answer at once."


def _lacks(begun: bytes) -> str:
    if not begun:
        return "it waited for something"
    if not begun.endswith(b"\n"):
        return "the last line of its answer does not end with a line break"
    return "its answer has fewer lines than were asked for"


def half_answer(begun: bytes) -> str:
    """Return the sentence for an answer that is not whole when its program ends, empty if there is nothing of it."""
    if not begun:
        return ""
    if not begun.endswith(b"\n"):
        return "The last line of its answer does not end with a line break."
    return "Its answer has fewer lines than were asked for."


def unasked(*, again: bool) -> str:
    """Return the sentence for output that nobody has asked for; ``again``: it had been asked, and answered, before."""
    if again:
        return "It had written more than its answer when it was asked again."
    return "It wrote to its standard output before it was asked."


def _signal_name(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)
