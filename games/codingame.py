"""What games that come from CodinGame have in common."""

from __future__ import annotations

from collections.abc import Mapping

BOT_LIMITS: Mapping[str, int] = {"memory_mib": 768}
"""CodinGame gives each bot 768 MiB; searches written for it keep their positions in as much."""
