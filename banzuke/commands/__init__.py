"""The command ``banzuke``. Each module here is one subcommand, see ``banzuke.command_line``."""

from __future__ import annotations

from collections.abc import Sequence

from banzuke.command_line import run_command
from banzuke.commands import (
    challenge,
    game,
    judge,
    league,
    login,
    mcp,
    new,
    play,
    spar,
    sprt,
    status,
    tournament,
    tries,
    tui,
    upload,
    verify,
    watch,
)
from core import __version__

_COMMANDS = {
    "new": new,
    "game": game,
    "play": play,
    "league": league,
    "sprt": sprt,
    "tournament": tournament,
    "watch": watch,
    "tui": tui,
    "login": login,
    "try": tries,
    "upload": upload,
    "status": status,
    "challenge": challenge,
    "spar": spar,
    "judge": judge,
    "verify": verify,
    "mcp": mcp,
}
"""The modules of the commands, in the order of the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status, see ``banzuke.command_line.run_command``."""
    return run_command("banzuke", "The arena at home: write a bot, play it, measure it.", _COMMANDS, argv, __version__)
