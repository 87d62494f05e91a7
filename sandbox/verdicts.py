"""Decides what an exit code means, and makes the messages about faults that authors of bots read."""

from __future__ import annotations

import signal
from typing import Literal

from core.message import Message, stored
from sandbox.api import Limits, Verdict

KILLED_BY_FILTER = 128 + signal.SIGSYS
"""The exit code of a program that the system call filter killed."""

What = Literal["turn", "start", "step"]
"""What a limit of time is for: a turn, the start of a program, or a step of a build."""


def of_exit(code: int, limits: Limits, memory_kills: int, begun: Message | None = None) -> tuple[Verdict, Message]:
    """Return verdict and message for a program that ended before it had answered.

    Args:
        code: the exit code of the program; 128 + N if signal N ended it.
        limits: the limits of the program.
        memory_kills: how many of its processes the kernel killed at the memory limit.
        begun: a message about what the program had written, None if it had written nothing.
    """
    if memory_kills:
        return Verdict.MEMORY, out_of_memory(limits)
    if code == KILLED_BY_FILTER:
        return Verdict.SECURITY, Message("bot-forbidden-call")
    if number := signal_of(code):
        return Verdict.CRASHED, Message("bot-killed", {"signal": _signal_name(number)})
    if begun:
        return Verdict.CRASHED, Message("bot-exited-half", {"code": code, "why": stored(begun)})
    return Verdict.CRASHED, Message("bot-exited", {"code": code})


def signal_of(code: int) -> int | None:
    """Return the signal that an exit code stands for, None if it stands for none.

    255 stands for none: there is no signal 127, and many programs end by exit(-1).
    """
    number = code - 128
    return number if 0 < number < signal.NSIG else None


def out_of_memory(limits: Limits) -> Message:
    """Return the message for a program that was killed at its memory limit."""
    return Message("bot-memory", {"limit": limits.memory_mib})


def out_of_cpu(used_ms: float, limit_ms: int, bank_ms: float, what: What) -> Message:
    """Return the message for a program that used more CPU time than ``limit_ms`` and the rest of its bank together."""
    values = {"used": round(used_ms), "limit": limit_ms, "what": what}
    return Message("bot-cpu-bank", {**values, "bank": round(bank_ms)}) if bank_ms else Message("bot-cpu", values)


def out_of_wall(used_ms: float, limit_ms: int, what: What, begun: bytes) -> Message:
    """Return the message for a program that broke its wall time limit; ``begun`` is its incomplete answer."""
    values = {"used": round(used_ms), "limit": limit_ms, "what": what, "lacks": lacks(begun)}
    return Message("bot-slow", values)


def lacks(begun: bytes) -> str:
    """Return what an incomplete answer lacks: ``all``, further ``lines``, or the last ``line-break``."""
    if not begun:
        return "all"
    return "lines" if begun.endswith(b"\n") else "line-break"


def half_answer(begun: bytes) -> Message | None:
    """Return the message about an answer that is incomplete when its program ends; None if there is no answer."""
    if not begun:
        return None
    return Message("bot-few-lines" if begun.endswith(b"\n") else "bot-half-line")


def unasked(*, again: bool) -> Message:
    """Return the message for output before a question; ``again``: the program had answered a question before."""
    return Message("bot-late-output" if again else "bot-early-output")


def _signal_name(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)
