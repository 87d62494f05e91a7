"""What the matches of an encounter share."""

from __future__ import annotations

import secrets
import uuid

SEEDS = 2**53
"""Seeds stay below: browsers know no larger whole numbers exactly, and a replay shows its seed."""


def encounter_new() -> tuple[str, int]:
    """Return the name and the seed of a new encounter. Nobody can guess the seed before the match is played."""
    return uuid.uuid4().hex, secrets.randbelow(SEEDS)
