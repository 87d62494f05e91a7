"""The command line ``python -m core``: play, judge, verify, bench, league. One module a command.

A command's module has ``add_arguments(parser)`` and ``run(arguments) -> exit status``; its docstring is its help.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from types import ModuleType

import core
from banzuke.referee import judge, league, play, verify
from banzuke.signals import ended_in_order
from banzuke.text import UserError
from core.text import printable

_COMMANDS = {"play": play, "judge": judge, "verify": verify, "league": league}
if find_spec(f"{__name__}.bench"):  # the wheel has no benchmarks
    from banzuke.referee import bench

    _COMMANDS["bench"] = bench


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``python -m core`` and return its exit status, see ``run_command``."""
    return run_command(f"python -m {core.__name__}", "The rules of the games, at home.", _COMMANDS, argv)


def run_command(
    program: str, description: str, modules: Mapping[str, ModuleType], argv: Sequence[str] | None, version: str = ""
) -> int:
    """Run one of several commands and return its exit status; ``--version`` prints the version, if there is one.

    0: done; 1: it found something wrong; 2: it was asked for what cannot be; 130: it was interrupted; 141: nobody reads
    its output any more.
    """
    argv = sys.argv[1:] if argv is None else argv
    _open_closed_outputs()
    parser = argparse.ArgumentParser(prog=program, description=description)
    if version:
        parser.add_argument("--version", action="version", version=f"{program} {version}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in modules.items():
        command = commands.add_parser(name, help=_first_line(module.__doc__), description=module.__doc__)
        command.formatter_class = argparse.RawDescriptionHelpFormatter
        module.add_arguments(command)
    chosen = argv[0] if argv else ""
    if chosen not in modules:
        if chosen and not chosen.startswith("-"):
            parser.exit(2, f"{_no_command(chosen, list(modules))}\n")
        parser.parse_args(argv[:1])  # tells how it is used, and ends
    arguments = commands.choices[chosen].parse_intermixed_args(argv[1:])  # words may stand behind options, too
    try:
        with ended_in_order():
            status: int = modules[chosen].run(arguments)
    except UserError as error:
        parser.exit(2, f"{printable(str(error))}\n")
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `| head` has seen enough
        _say_no_more()
        return 141
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _say_no_more()
        parser.exit(2, "The disk is full: make room, and type the command again.\n")
    return status


def _open_closed_outputs() -> None:
    """Let output that the user has closed (`>&-`) go nowhere: for Python it is None, which takes no text."""
    sys.stdout = sys.stdout or os.fdopen(_nowhere(), "w")
    sys.stderr = sys.stderr or os.fdopen(_nowhere(), "w")


def _say_no_more() -> None:
    """Let what is still to be written go nowhere, or Python would complain at its end."""
    os.dup2(_nowhere(), sys.stdout.fileno())


def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def _no_command(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
    return f"There is no command {name!r}. {hint}"


def _first_line(text: str | None) -> str:
    return (text or "").partition("\n")[0]  # there is none under ``python -OO``
