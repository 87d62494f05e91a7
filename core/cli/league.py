"""Let all house bots of a game play each other, and print their ratings.

It is ``banzuke league GAME --house``, which has the options told by ``banzuke league --help``.
"""

from __future__ import annotations

import argparse
import pkgutil

import core
from core.cli.arguments import positive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``league``."""
    parser.add_argument("game", choices=core.games())
    parser.add_argument("--seeds", type=positive, default=5, help="boards; on each, every table plays from all seats")
    parser.add_argument("--log", help="keeps all results: the same command goes on where it ended")


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the table."""
    # Named, not imported: ratings and house bots stand above the rules.
    main = pkgutil.resolve_name("banzuke.commands:main")
    kept = ["--log", arguments.log] if arguments.log else []
    status: int = main(["league", arguments.game, "--house", "--seeds", str(arguments.seeds), *kept])
    return status
