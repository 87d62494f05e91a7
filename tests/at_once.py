"""Runs two transactions at once, the second of which may wait for a lock of the first; on PostgreSQL alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

T = TypeVar("T")

PATIENCE_SECONDS = 60
_WAITING = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


def while_uncommitted(
    first: Callable[[], object],
    second: Callable[[], T],
    blocker: DjangoDbBlocker,
    *,
    at_last: Callable[[], object] = lambda: None,
) -> T:
    """Run ``first`` in a transaction, and ``second`` before that transaction is committed.

    The commit comes when ``second`` waits for a lock, or has returned.

    Args:
        first: called in the transaction.
        second: called in another thread, with a connection of its own.
        blocker: of pytest-django.
        at_last: called in the transaction just before the commit.

    Returns:
        What ``second`` returned.
    """
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    done, may_commit = Event(), Event()

    def uncommitted() -> None:
        with transaction.atomic():
            first()
            done.set()
            assert may_commit.wait(PATIENCE_SECONDS)
            at_last()

    with ThreadPoolExecutor(2) as others:
        one = others.submit(_apart, uncommitted, blocker)
        assert done.wait(PATIENCE_SECONDS), one.exception(0)
        other = others.submit(_apart, second, blocker)
        while not (other.done() or _somebody_waits()):
            time.sleep(0.01)
        may_commit.set()
        one.result(PATIENCE_SECONDS)
        return other.result(PATIENCE_SECONDS)


def _apart(act: Callable[[], T], blocker: DjangoDbBlocker) -> T:
    """Run a function in a thread with a database connection of its own."""
    with blocker.unblock():
        try:
            return act()
        finally:
            connection.close()


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return bool(cursor.fetchone()[0])
