"""Play the answers of replays again: each must reach the same frames, ranks and hash."""

from __future__ import annotations

import argparse
from pathlib import Path

from banzuke.text import say
from core.replay import BadReplay, ReplayMismatch
from games.replays import verify as verify_replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``verify``."""
    parser.add_argument("replays", metavar="REPLAY", nargs="+", type=Path)


def run(arguments: argparse.Namespace) -> int:
    """Check each replay and print the result; return 1 if one of them is not in order."""
    found = 0
    for path in arguments.replays:  # printed at once, since many files take long
        problem = _problem(path)
        say(f"{path}: {problem or 'in order.'}")
        found += problem is not None
    return int(found > 0)


def _problem(path: Path) -> str | None:
    """Return what is wrong with a replay, None if it is in order."""
    try:
        verify_replay(path.read_bytes())
    except (BadReplay, ReplayMismatch) as error:
        return str(error)
    except OSError as error:
        return f"The file cannot be read: {error.strerror}."
    return None
