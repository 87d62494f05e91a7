"""Runs sweeps of leases in tests without a broker, or with a database that fails."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest
from django.db import OperationalError, connection

from jobs.services import life

Sweep = Callable[..., None]


def sweeper(monkeypatch: pytest.MonkeyPatch, sweep: Callable[[], None]) -> Sweep:
    """Return a function that runs a sweep with given answers of the broker.

    Its arguments: how many messages wait in the queue, and whether the site listened without a pause.

    Args:
        monkeypatch: the fixture of the test.
        sweep: the service to run.
    """
    before: set[int] = set()

    def missing_for(app: object, queue: str, missing: set[int], **seconds: float) -> set[int]:
        nonlocal before
        lost, before = missing & before, missing
        return lost

    monkeypatch.setattr(life, "missing_for", missing_for)

    def sweep_with(waiting: int = 0, *, listened: bool = True) -> None:
        monkeypatch.setattr(life, "queue_length", lambda app, queue: waiting)
        monkeypatch.setattr(life, "listened_without_pause", lambda app, name, pause_seconds: nullcontext(listened))
        sweep()

    return sweep_with


def database_away(fails_at: str) -> AbstractContextManager[None]:
    """Make SQL statements that begin with these words fail, as if the database were starting up."""

    def away(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if sql.startswith(fails_at):
            raise OperationalError("the database system is starting up")
        return execute(sql, *rest)

    return connection.execute_wrapper(away)
