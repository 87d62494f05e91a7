"""What workers play and build with, on each backend."""

from __future__ import annotations

from tests.workers.conftest import site, tools

__all__ = ["site", "tools"]
