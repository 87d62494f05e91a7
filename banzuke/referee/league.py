"""Let all house bots of a game play each other, and print their ratings.

It is ``banzuke league GAME --house``, which has the options told by ``banzuke league --help``.
"""

from __future__ import annotations

import argparse

from core.arguments import positive
from games.registry import game_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``league``."""
    parser.add_argument("game", choices=game_names())
    parser.add_argument("--seeds", type=positive, default=5, help="boards; on each, every table plays from all seats")
    parser.add_argument("--log", help="keeps all results: the same command goes on where it ended")


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the table."""
    from banzuke.commands import main  # which knows this command's neighbours, and would be known by itself

    log = ["--log", arguments.log] if arguments.log else []
    return main(["league", arguments.game, "--house", "--seeds", str(arguments.seeds), *log])
