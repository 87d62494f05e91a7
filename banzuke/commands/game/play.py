"""Play a match of a game at home, also of one that is not installed yet.

GAME is the name of a game, or the folder of its package. Seats for which you give no COMMAND are played by random bots.
All else is as in `banzuke play`.
"""

from __future__ import annotations

import argparse

from banzuke.commands import play
from banzuke.packages import games_found
from banzuke.text import UserError
from games.registry import game_named, game_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``game play``."""
    play.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match."""
    if not arguments.words:
        return play.run(arguments)
    with games_found(arguments.words[0]) as names:
        arguments.words = [names[0], *seats_filled(names[0], arguments.words[1:])]
        return play.run(arguments)


def seats_filled(name: str, commands: list[str]) -> list[str]:
    """Return the commands of all seats, random bots after those that were given.

    Raises:
        UserError: there is no such game.
    """
    if name not in game_names():
        raise UserError(f"There is no game {name!r} that can be played: banzuke game check {name} says why.")
    return [*commands, *["house:random"] * (game_named(name).players[0] - len(commands))]
