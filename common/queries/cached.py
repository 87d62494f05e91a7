"""Reads that nearly every page needs and that seldom change: cached in this process for a few seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from django.core.cache import caches
from django.db import transaction

SECONDS: float | None = 5.0
"""How long a result is cached. The process that changes the data clears its own cache at once."""

T = TypeVar("T")


def cached(read: Callable[[], T]) -> T:
    """Return the cached result of ``read``, or call it and cache what it returns, which must not be None."""
    return cast("T", caches["cached"].get_or_set(f"{read.__module__}.{read.__qualname__}", read, SECONDS))


def cached_clear() -> None:
    """Clear the cache: the data has changed, or the database is another one."""
    caches["cached"].clear()


def cached_changed() -> None:
    """Clear the cache for a change that the current transaction makes.

    Clears it now, for the reads of this transaction, and again on commit: until then other threads may cache the old
    data once more.
    """
    cached_clear()
    transaction.on_commit(cached_clear)
