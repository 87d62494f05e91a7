"""Rows that a process locks so that no two do the same at once. Each app gives its purposes numbers of their own."""

from __future__ import annotations

from collections.abc import Callable

from jobs.models import QueueLock

_purposes: dict[int, str] = {}


def lock_register(number: int, purpose: str) -> Callable[[], QueueLock]:
    """Give a row of ``QueueLock`` to one purpose; return the function that locks it until the transaction ends.

    Args:
        number: the row's key, the same in all releases.
        purpose: what no two processes do at once.

    Raises:
        ValueError: the number belongs to another purpose.
    """
    if _purposes.setdefault(number, purpose) != purpose:
        raise ValueError(f"Lock {number} is taken for {_purposes[number]}.")
    return lambda: QueueLock.objects.select_for_update().get_or_create(pk=number)[0]
