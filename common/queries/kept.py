"""What nearly every page needs and administrators seldom change: read once in a few seconds, kept in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import transaction

SECONDS = 5.0
"""So late other processes learn of a change, at most; the one that makes it forgets at once."""

T = TypeVar("T")

EVERYTHING: list[Kept[object]] = []


class Kept(Generic[T]):
    """A reading function whose last answer is given again until it is ``SECONDS`` old."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._answer: tuple[float, T] | None = None
        EVERYTHING.append(self)  # type: ignore[arg-type]  # of whatever type: they are only told to forget

    def __call__(self) -> T:
        """Return what was read last, or read it."""
        # One tuple, so that no lock is needed: two threads at worst both read.
        answer = self._answer
        if answer is None or time.monotonic() - answer[0] > SECONDS:
            answer = self._answer = (time.monotonic(), self._read())
        return answer[1]

    def forget(self) -> None:
        """Read anew the next time."""
        self._answer = None


def kept_forget() -> None:
    """Forget everything that is kept: it was changed, or the database is another one."""
    for kept in EVERYTHING:
        kept.forget()


def kept_change() -> None:
    """Forget everything that is kept, in the transaction that changes what was read.

    At once, for whatever this transaction reads itself; and when it is committed, since others read the old until then.
    """
    kept_forget()
    transaction.on_commit(kept_forget)
