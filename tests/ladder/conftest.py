"""Builds that are asked for."""

from __future__ import annotations

import pytest

from ladder.services import uploads


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The versions whose build has been asked for; no message leaves."""
    asked: list[int] = []
    monkeypatch.setattr(uploads, "build_enqueue", lambda *, version: asked.append(version.pk))
    return asked
