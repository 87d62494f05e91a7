"""The lock of a contest's board, which a process holds while it pairs matches or writes ratings or tallies."""

from __future__ import annotations

from matches.models import BoardLock


def board_lock(*, contest: str) -> BoardLock:
    """Lock the ``BoardLock`` of a contest until the transaction ends, and return it; it is made if there is none."""
    return BoardLock.objects.select_for_update().get_or_create(contest_id=contest)[0]


def board_lock_if_free(*, contest: str) -> bool:
    """Lock the ``BoardLock`` of a contest until the transaction ends; return False if another process holds it."""
    BoardLock.objects.get_or_create(contest_id=contest)
    return bool(BoardLock.objects.select_for_update(skip_locked=True).filter(contest=contest))
