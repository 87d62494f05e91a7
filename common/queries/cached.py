"""Reads that nearly every page needs and that seldom change: cached in this process for a few seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar, cast

from django.core.cache import caches
from django.db import transaction

SECONDS: float | None = 5.0
"""How long a result is cached. The process that changes the data clears its own cache at once."""

T = TypeVar("T")


def cached(read: Callable[[], T]) -> T:
    """Return the cached result of ``read``, or call it and cache what it returns, which must not be None."""
    return cast("T", caches["values"].get_or_set(f"{read.__module__}.{read.__qualname__}", read, SECONDS))


def cached_each(read: Callable[[Sequence[int]], Mapping[int, T]], keys: Iterable[int]) -> dict[int, T]:
    """Return the results of ``read`` by key, none of them None; it is called for the keys alone that are not cached.

    Keys that it leaves out have no result.
    """
    wanted = {f"{read.__module__}.{read.__qualname__}.{key}": key for key in keys}
    found = caches["values"].get_many(wanted)
    if missing := {name: key for name, key in wanted.items() if name not in found}:
        new = read(list(missing.values()))
        fresh = {name: new.get(key) for name, key in missing.items()}
        caches["values"].set_many(fresh, SECONDS)
        found |= fresh
    return {wanted[name]: result for name, result in found.items() if result is not None}


def cached_clear() -> None:
    """Clear the cache: the data has changed, or the database is another one."""
    caches["values"].clear()


def cached_changed() -> None:
    """Clear the cache for a change that the current transaction makes.

    Clears it now, for the reads of this transaction, and again on commit: until then other threads may cache the old
    data once more.
    """
    cached_clear()
    transaction.on_commit(cached_clear)
