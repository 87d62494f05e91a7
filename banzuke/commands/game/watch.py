"""Play a match of a game, and watch it in the browser, also of one that is not installed yet.

GAME is the name of a game, or the folder of its package. Seats for which you give no COMMAND are played by random bots.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from banzuke.commands import play, watch
from banzuke.commands.game import play as game_play
from banzuke.packages import games_found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``game watch``."""
    play.add_arguments(parser)
    watch.add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match, then serve the viewer until Ctrl-C."""
    with games_found(arguments.words[0] if arguments.words else "") as names, tempfile.TemporaryDirectory() as folder:
        arguments.words = [names[0], *game_play.seats_filled(names[0], arguments.words[1:])]
        arguments.replay = arguments.replay or Path(folder, "match.replay")
        play.run(arguments)
        return watch.run(arguments)
