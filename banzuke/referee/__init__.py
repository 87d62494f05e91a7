"""The command ``python -m core`` with play, judge, verify, bench and league, see ``banzuke.command_line``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import core
from banzuke.command_line import run_command
from banzuke.referee import judge, league, play, verify

_COMMANDS = {"play": play, "judge": judge, "verify": verify, "league": league}
if find_spec(f"{__name__}.bench"):  # the wheel has no benchmarks
    from banzuke.referee import bench

    _COMMANDS["bench"] = bench


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``python -m core`` and return its exit status, see ``run_command``."""
    return run_command(f"python -m {core.__name__}", "The rules of the games, at home.", _COMMANDS, argv)
