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

_HOME = (new, game, play, league, sprt, tournament, watch, tui)
_ARENA = (login, tries, upload, status, challenge, spar, judge, verify, mcp)
# In the order of the help. A command has the name of its module, but for `try`, which is a word of Python.
_COMMANDS = {each.__name__.rpartition(".")[2].replace("tries", "try"): each for each in (*_HOME, *_ARENA)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status, see ``banzuke.command_line.run_command``."""
    return run_command("banzuke", "The arena at home: write a bot, play it, measure it.", _COMMANDS, argv, __version__)
