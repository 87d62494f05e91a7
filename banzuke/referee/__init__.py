"""The command ``python -m core`` with play, judge, verify, bench and league, see ``banzuke.command_line``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import core
from banzuke.command_line import run_command
from banzuke.referee import judge, league, play, verify

_COMMANDS = {"play": play, "judge": judge, "verify": verify, "league": league}
if (Path(core.__file__).parents[1] / "tests" / "bench").is_dir():  # the source tree has benchmarks, the wheel has not
    _COMMANDS["bench"] = import_module("tests.bench.rules.command")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``python -m core`` and return its exit status, see ``run_command``."""
    return run_command(f"python -m {core.__name__}", "The rules of the games, at home.", _COMMANDS, argv)
