"""Fixtures of workers, here with each backend."""

from __future__ import annotations

from tests.workers.conftest import site, tools

__all__ = ["site", "tools"]
