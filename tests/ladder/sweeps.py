"""Sweepers without a broker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from types import ModuleType

import pytest

Sweep = Callable[..., None]


def sweeper(monkeypatch: pytest.MonkeyPatch, module: ModuleType, sweep: Callable[[], None]) -> Sweep:
    """Return a sweep that is told how many messages wait in the broker, and whether we have listened without a pause.

    Args:
        monkeypatch: of the test.
        module: in which the sweep asks the broker.
        sweep: the service.
    """
    before: set[int] = set()

    def missing_still(app: object, queue: str, missing: set[int], **seconds: float) -> set[int]:
        nonlocal before
        lost, before = missing & before, missing
        return lost

    monkeypatch.setattr(module, "missing_still", missing_still)

    def told(waiting: int = 0, *, listened: bool = True) -> None:
        monkeypatch.setattr(module, "queue_length", lambda app, queue: waiting)
        monkeypatch.setattr(module, "listening", lambda app, name, pause_seconds: nullcontext(listened))
        sweep()

    return told
