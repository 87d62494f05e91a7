"""Check at length that matches of hostile bots, and players killed in mid-match, leave nothing on the machine."""

from __future__ import annotations

from pathlib import Path

from sandbox import leftovers
from sandbox.api import Sandbox
from tests.sandbox.hostile import hostile_matches, killed_matches, machine_state, next_starts

MATCHES = 200
KILLED_EVERY = 10


def behind(isolation: Sandbox, folder: Path) -> dict[str, float]:
    """Count processes, files and mounts that hostile matches have left after the cleaning at the next start."""
    mark = f"mark-{leftovers.fresh_name()}"
    hostile_matches(isolation, folder, matches=1)  # files that are opened once for all matches are open now
    isolation.close()
    before = machine_state(isolation.name, [], mark)
    owners = killed_matches(isolation.name, folder, MATCHES, KILLED_EVERY, mark)
    next_starts(isolation.name)
    left = machine_state(isolation.name, owners, mark) - before
    return {f"left behind by {MATCHES} hostile matches with {len(owners)} players killed": len(left)}
