"""Nothing left behind, shown at length: hostile bots, and players killed in mid-match."""

from __future__ import annotations

from pathlib import Path

from sandbox import leftovers
from sandbox.api import Sandbox
from tests.sandbox.hostile import hostile_matches, killed_matches, machine_state, next_starts

MATCHES = 200
KILLED_EVERY = 10


def behind(walls: Sandbox, folder: Path) -> dict[str, float]:
    """Count what is there after the matches and the sweep of the next start, and was not before."""
    mark = f"mark-{leftovers.fresh_name()}"
    hostile_matches(walls, folder, matches=1)  # what is opened once and kept is open now
    walls.close()
    before = machine_state(walls.name, [], mark)
    owners = killed_matches(walls.name, folder, MATCHES, KILLED_EVERY, mark)
    next_starts(walls.name)
    left = machine_state(walls.name, owners, mark) - before
    return {f"left behind by {MATCHES} hostile matches with {len(owners)} players killed": len(left)}
