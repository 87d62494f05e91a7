"""Runs the subcommands of ``banzuke``, each of which is a module.

The module has ``add_arguments(parser)`` and ``run(arguments) -> exit status``; its docstring is its help. ``run`` may
raise a ``UserError``, whose text is printed. A module with ``COMMANDS`` is a group of further subcommands.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType

from banzuke.arguments import takes_game, with_game
from banzuke.signals import exiting_on_signals
from banzuke.text import UserError
from core.game import BadOptions
from core.replay import BadReplay, ReplayMismatch
from core.text import printable


def run_command(
    program: str, description: str, modules: Mapping[str, ModuleType], argv: Sequence[str] | None, version: str = ""
) -> int:
    """Run the subcommand that the arguments name, and return its exit status.

    Args:
        program: the name of the command, for its help.
        description: one line, for its help.
        modules: the subcommands by name, each a module with ``add_arguments`` and ``run``.
        argv: the arguments; None: those of this process.
        version: what ``--version`` prints; empty: there is no such option.

    Returns:
        0: success. 1: the subcommand found a problem. 2: the request is impossible. 130: the user interrupted it.
        141: the reader of its output has closed it.
    """
    argv = sys.argv[1:] if argv is None else argv
    # Streams that the user has closed (`>&-`) are None in Python: replace them by ones that drop all text.
    sys.stdout = sys.stdout or os.fdopen(_open_null(), "w")
    sys.stderr = sys.stderr or os.fdopen(_open_null(), "w")
    chosen = argv[0] if argv else ""
    if group := getattr(modules.get(chosen), "COMMANDS", None):
        return run_command(f"{program} {chosen}", modules[chosen].__doc__ or "", group, argv[1:])
    parser, commands = _parsers(program, description, modules)
    if version:
        parser.add_argument("--version", action="version", version=f"{program} {version}")
    if chosen not in modules:
        if chosen and not chosen.startswith("-"):
            near = difflib.get_close_matches(chosen, modules, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(modules)}."
            parser.exit(2, f"There is no command {chosen!r}. {hint}\n")
        parser.parse_args(argv[:1])  # prints the usage and exits
    command = commands.choices[chosen]
    arguments = command.parse_intermixed_args(with_game(command, argv[1:]))  # words may follow options, too
    try:
        with exiting_on_signals():
            status: int = modules[chosen].run(arguments)
    except (UserError, BadOptions, BadReplay, ReplayMismatch) as error:  # their texts are sentences for the user
        parser.exit(2, f"{printable(str(error))}\n")
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # as in `| head`
        _discard_output()
        return 141
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _discard_output()
        parser.exit(2, "The disk is full: free some space, and type the command again.\n")
    return status


def _parsers(
    program: str, description: str, modules: Mapping[str, ModuleType]
) -> tuple[argparse.ArgumentParser, argparse._SubParsersAction[argparse.ArgumentParser]]:
    """Return the parser of the command, and those of its subcommands; groups are only named in its help."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in modules.items():
        command = commands.add_parser(name, help=(module.__doc__ or "").partition("\n")[0], description=module.__doc__)
        command.formatter_class = argparse.RawDescriptionHelpFormatter
        if not hasattr(module, "COMMANDS"):
            module.add_arguments(command)
        if way := takes_game(command):
            command.epilog = f"The game may also be given {'by --game' if way == 'word' else 'as the first word'}."
    return parser, commands


def _discard_output() -> None:
    """Drop buffered output, which Python would otherwise write at its end and fail."""
    os.dup2(_open_null(), sys.stdout.fileno())


def _open_null() -> int:
    return os.open(os.devnull, os.O_WRONLY)
