"""The command ``python -m core`` with play, judge, verify and league, see ``banzuke.command_line``."""

from __future__ import annotations

from collections.abc import Sequence

import core
from banzuke.command_line import run_command
from banzuke.referee import judge, league, play, verify

_COMMANDS = {"play": play, "judge": judge, "verify": verify, "league": league}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``python -m core`` and return its exit status, see ``run_command``."""
    return run_command(f"python -m {core.__name__}", "The rules of the games, at home.", _COMMANDS, argv)
