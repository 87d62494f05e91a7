"""What ends a command from outside."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def ending_signals() -> list[signal.Signals]:
    """Return what asks this process to end, but for Ctrl-C: not SIGHUP under ``nohup``, which has it ignored."""
    return [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) != signal.SIG_IGN]


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Let a command that is told to end, or whose terminal is closed, take its bots along.

    They have process groups of their own, and one that computes and reads nothing would go on for ever.
    """
    before = {number: signal.signal(number, _end) for number in ending_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)
