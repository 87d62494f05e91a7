"""The command line ``python -m core``: play, judge, verify, bench. One module a command.

A command's module has ``add_arguments(parser)`` and ``run(arguments) -> exit status``; its docstring is its help.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from core.cli import bench, judge, play, verify
from core.cli.text import UserError

_COMMANDS = {"play": play, "judge": judge, "verify": verify, "bench": bench}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    0: done; 1: it found something wrong; 2: it was asked for what cannot be; 130: it was interrupted.
    """
    parser = argparse.ArgumentParser(prog="python -m core", description="The rules of the games, at home.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in _COMMANDS.items():
        command = commands.add_parser(name, help=_first_line(module.__doc__), description=module.__doc__)
        command.formatter_class = argparse.RawDescriptionHelpFormatter
        module.add_arguments(command)
    arguments = parser.parse_args(argv)
    try:
        status: int = _COMMANDS[arguments.command].run(arguments)
    except UserError as error:
        parser.exit(2, f"{error}\n")
    except KeyboardInterrupt:
        return 130
    return status


def _first_line(text: str | None) -> str:
    return (text or "").splitlines()[0]
