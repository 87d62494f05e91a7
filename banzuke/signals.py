"""Handles signals that ask a command to end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType


def ending_signals() -> list[signal.Signals]:
    """Return the signals, except that of Ctrl-C, that ask this process to end, unless it ignores them (``nohup``)."""
    return [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) != signal.SIG_IGN]


def exiting_on_signals() -> AbstractContextManager[None]:
    """Raise ``SystemExit`` in the block when the command is asked to end or its terminal is closed, so that bots end.

    Bots have process groups of their own, so the signal does not reach them, and a bot that only computes would run on.
    """
    return handling(_end, *ending_signals())


@contextmanager
def handling(handler: Callable[[int, FrameType | None], None], *numbers: signal.Signals) -> Iterator[None]:
    """Let ``handler`` handle these signals in the block, and restore the earlier handlers after it."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _end(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)
