"""Sweepers without a broker, or without a database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest
from django.db import OperationalError, connection

from jobs.services import sweeping

Sweep = Callable[..., None]


def sweeper(monkeypatch: pytest.MonkeyPatch, sweep: Callable[[], None]) -> Sweep:
    """Return a sweep that is told how many messages wait in the broker, and whether we have listened without a pause.

    Args:
        monkeypatch: of the test.
        sweep: the service.
    """
    before: set[int] = set()

    def missing_for(app: object, queue: str, missing: set[int], **seconds: float) -> set[int]:
        nonlocal before
        lost, before = missing & before, missing
        return lost

    monkeypatch.setattr(sweeping, "missing_for", missing_for)

    def told(waiting: int = 0, *, listened: bool = True) -> None:
        monkeypatch.setattr(sweeping, "queue_length", lambda app, queue: waiting)
        monkeypatch.setattr(sweeping, "listened_without_pause", lambda app, name, pause_seconds: nullcontext(listened))
        sweep()

    return told


def database_away(fails_at: str) -> AbstractContextManager[None]:
    """Let statements that begin with these words fail, as those do that reach a database which is starting up."""

    def away(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if sql.startswith(fails_at):
            raise OperationalError("the database system is starting up")
        return execute(sql, *rest)

    return connection.execute_wrapper(away)
