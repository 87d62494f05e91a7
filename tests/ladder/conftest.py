"""A fixture that records the builds that uploads put into the queue."""

from __future__ import annotations

import pytest

from ladder.services import examining, uploads
from tests.matches.conftest import away

__all__ = ["away", "enqueued"]


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The keys of the versions whose builds were enqueued; nothing is sent to the broker."""
    enqueued: list[int] = []
    for module in (examining, uploads):
        monkeypatch.setattr(module, "build_enqueue", lambda *, version: enqueued.append(version.pk))
    return enqueued
