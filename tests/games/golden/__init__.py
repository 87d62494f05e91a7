"""Recorded matches of random players, which prove that rules and replay format have not changed.

If you change a game's rules, frames or events on purpose, also change its ``rules_version`` and record its matches anew
in the same commit: ``python -m tests.games.golden``. Do the same for a new game. Matches that still verify are not
recorded again: files written by older versions prove that these can still be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from banzuke.testing import Setup
from core.replay import BadReplay, ReplayMismatch, encode
from games.replays import verify

HERE = Path(__file__).parent


def golden(setup: Setup, folder: Path = HERE) -> Path:
    """Return the path of the recorded match of a setup."""
    return folder / f"{setup}.replay"


def record(setups: Iterable[Setup], folder: Path = HERE) -> list[str]:
    """Record the matches that are missing or no longer verify; return the names of their files."""
    due = {golden(setup, folder): setup for setup in setups if not _holds(golden(setup, folder))}
    for path, setup in due.items():
        path.write_bytes(encode(setup.match()))
    return [path.name for path in due]


def _holds(path: Path) -> bool:
    try:
        verify(path.read_bytes())
    except (FileNotFoundError, BadReplay, ReplayMismatch):
        return False
    return True
