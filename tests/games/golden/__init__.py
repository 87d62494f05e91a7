"""Recorded matches of random players: rules that play them otherwise are other rules.

Who changes a game's rules or frames on purpose also changes its ``rules_version`` and records its matches anew, in the
same commit: ``python -m tests.games.golden``. So does who adds a game. Matches that still verify stay as they were
recorded: a file that an older version has written proves that it can still be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.replay import ReplayMismatch, encode
from games.replays import verify
from tests.core.setups import Setup

HERE = Path(__file__).parent


def golden(setup: Setup, folder: Path = HERE) -> Path:
    """Return where the recorded match of a setup lies."""
    return folder / f"{setup}.replay"


def record(setups: Iterable[Setup], folder: Path = HERE) -> list[str]:
    """Record the matches that are missing, or that the rules play otherwise now; returns the names of their files."""
    due = {golden(setup, folder): setup for setup in setups if not _holds(golden(setup, folder))}
    for path, setup in due.items():
        path.write_bytes(encode(setup.match()))
    return [path.name for path in due]


def _holds(path: Path) -> bool:
    try:
        verify(path.read_bytes())
    except (FileNotFoundError, ReplayMismatch):
        return False
    return True
