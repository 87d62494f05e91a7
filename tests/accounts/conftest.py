"""The fixture of uploads, for accounts that have some."""

from __future__ import annotations

from tests.ladder.conftest import enqueued

__all__ = ["enqueued"]
