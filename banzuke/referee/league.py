"""Let all house bots of a game play each other, and print their ratings.

It is ``banzuke league GAME --house``, whose options ``banzuke league --help`` lists.
"""

from __future__ import annotations

import argparse

from banzuke.arguments import game_name
from core.arguments import positive
from games.registry import game_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``league``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("--seeds", type=positive, default=5, help="boards; on each, every table plays from all seats")
    parser.add_argument("--log", help="keeps all results: the same command goes on where it ended")


def run(arguments: argparse.Namespace) -> int:
    """Run the league, see ``banzuke.commands.league``."""
    from banzuke.commands import main  # here, since that module imports this package

    log = ["--log", arguments.log] if arguments.log else []
    return main(["league", arguments.game, "--house", "--seeds", str(arguments.seeds), *log])
