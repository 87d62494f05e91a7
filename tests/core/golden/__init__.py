"""Recorded matches of random players: rules that play them otherwise are other rules.

Who changes a game's rules or frames on purpose also changes its ``rules_version`` and records its matches anew, in the
same commit: ``python -m tests.core.golden``.
"""

from __future__ import annotations

from pathlib import Path

from tests.core.setups import Setup


def golden(setup: Setup) -> Path:
    """Return where the recorded match of a setup lies."""
    return Path(__file__).with_name(f"{setup}.replay")
