"""Decides what an exit code means, and writes the sentences about faults that authors of bots read."""

from __future__ import annotations

import signal

from sandbox.api import Limits, Verdict

KILLED_BY_FILTER = 128 + signal.SIGSYS
"""The exit code of a program that the system call filter killed."""


def of_exit(code: int, limits: Limits, memory_kills: int, begun: str = "") -> tuple[Verdict, str]:
    """Return verdict and sentence for a program that ended before it had answered.

    Args:
        code: the exit code of the program; 128 + N if signal N ended it.
        limits: the limits of the program.
        memory_kills: how many of its processes the kernel killed at the memory limit.
        begun: a sentence about the incomplete answer that the program had written, empty if there is none.
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
    """Return the signal that an exit code stands for, None if it stands for none.

    255 stands for none: there is no signal 127, and many programs end by exit(-1).
    """
    number = code - 128
    return number if 0 < number <= signal.SIGRTMAX else None


def out_of_memory(limits: Limits) -> str:
    """Return the sentence for a program that was killed at its memory limit."""
    return f"It was killed at its memory limit of {limits.memory_mib} MiB."


def out_of_cpu(used_ms: float, limit_ms: int, bank_ms: float, what: str) -> str:
    """Return the sentence for a program that used too much CPU time; ``what`` names what the limit is for."""
    bank = f", and its bank of overrun held {bank_ms:,.0f} ms" if bank_ms else ""
    return f"It used {used_ms:,.0f} ms of CPU time; the limit for {what} is {limit_ms:,} ms{bank}."


def out_of_wall(used_ms: float, limit_ms: int, what: str, begun: bytes) -> str:
    """Return the sentence for a program that broke its wall time limit; ``begun`` is its incomplete answer."""
    return (
        f"It did not finish {what} within {limit_ms:,} ms though it used only {used_ms:,.0f} ms of CPU time: "
        f"{_lacks(begun)}."
    )


def out_of_rest(limit_ms: float) -> str:
    """Return the sentence for a program that slept, or waited for something, for too long in all its turns."""
    return f"It waited for something for more than {limit_ms:,.0f} ms in all its turns; compute, or answer at once."


def _lacks(begun: bytes) -> str:
    if not begun:
        return "it waited for something"
    if not begun.endswith(b"\n"):
        return "the last line of its answer does not end with a line break"
    return "its answer has fewer lines than were asked for"


def half_answer(begun: bytes) -> str:
    """Return the sentence for an answer that is incomplete when its program ends; empty if there is no answer."""
    if not begun:
        return ""
    if not begun.endswith(b"\n"):
        return "The last line of its answer does not end with a line break."
    return "Its answer has fewer lines than were asked for."


def unasked(*, again: bool) -> str:
    """Return the sentence for output before a question; ``again``: the program had answered a question before."""
    if again:
        return "It had written more than its answer when it was asked again."
    return "It wrote to its standard output before it was asked."


def _signal_name(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)
