"""What nearly every page needs and administrators seldom change: read once in a few seconds, kept in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from django.core.cache import caches
from django.db import transaction

SECONDS: float | None = 5.0
"""So late other processes learn of a change, at most; the one that makes it forgets at once."""

T = TypeVar("T")


def kept(read: Callable[[], T]) -> T:
    """Return what a function read at most ``SECONDS`` ago, or call it; it returns something other than None."""
    return cast("T", caches["kept"].get_or_set(f"{read.__module__}.{read.__qualname__}", read, SECONDS))


def kept_forget() -> None:
    """Forget everything that is kept: it was changed, or the database is another one."""
    caches["kept"].clear()


def kept_change() -> None:
    """Forget everything that is kept, in the transaction that changes what was read.

    At once, for whatever this transaction reads itself; and when it is committed, since others read the old until then.
    """
    kept_forget()
    transaction.on_commit(kept_forget)
