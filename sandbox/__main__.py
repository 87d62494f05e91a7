"""The command ``python -m sandbox``: ``selftest``, ``languages``, ``run --root DIR -- CMD`` and ``limits``."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from sandbox import NAMES, backend
from sandbox.api import BotFault, Limits, PlatformFault, Program, Sandbox
from sandbox.folders import open_to_bots
from sandbox.limits import limits_table
from sandbox.selftest import failures
from sandbox.toolchains import toolchains


def main(argv: list[str] | None = None) -> int:
    """Run one command and return the exit code: 0 on success, else 1."""
    logging.basicConfig(format="%(message)s")
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description="Try the sandbox of this machine.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("selftest", help="check that the sandbox isolates programs")
    tried = commands.add_parser("languages", help="print the languages whose self-test program works here")
    tried.add_argument("--memory-mib", type=_positive, default=Limits().memory_mib, help="(default: %(default)s)")
    run = commands.add_parser("run", help="run one command in the sandbox, to its end")
    run.add_argument("--root", type=Path, default=Path(), help="folder the program sees as /bot (default: this one)")
    run.add_argument("--cpu-ms", type=_positive, default=10_000, help="CPU time it may use (default: %(default)s)")
    run.add_argument("argv", nargs="+", metavar="CMD", help="the command, after --")
    for command in commands.choices.values():
        command.add_argument("--backend", choices=NAMES, default="auto", help="which sandbox (default: %(default)s)")
    commands.add_parser("limits", help="print the table of limits")
    arguments = parser.parse_args(argv)
    if arguments.command == "limits":
        sys.stdout.write(limits_table())
        return 0
    try:
        with open_to_bots():
            chosen = backend(arguments.backend)
            return _COMMANDS[arguments.command](chosen, arguments)
    except PlatformFault as fault:
        _say(str(fault))
        return 1


def _positive(text: str) -> int:
    """Return an argument as a whole number of at least 1, or raise ArgumentTypeError."""
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from error
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def _selftest(sandbox: Sandbox, arguments: argparse.Namespace) -> int:
    sentences = list(failures(sandbox))
    for sentence in sentences:
        _say(sentence)
    if not sentences:
        _say(f"The {sandbox.name} sandbox passes all its checks.")
    return 1 if sentences else 0


def _languages(sandbox: Sandbox, arguments: argparse.Namespace) -> int:
    for toolchain in toolchains(sandbox, limits=Limits(memory_mib=arguments.memory_mib)):
        words = (toolchain.language.title, toolchain.version, toolchain.libraries)
        sys.stdout.write(f"{' '.join(words).rstrip()}\n")
    return 0


def _run(sandbox: Sandbox, arguments: argparse.Namespace) -> int:
    if not arguments.root.is_dir():
        _say(f"There is no folder {arguments.root}.")
        return 1
    program = Program(arguments.root, tuple(arguments.argv))
    try:
        result = sandbox.run(program, Limits(), arguments.cpu_ms)
    except BotFault as fault:
        sys.stdout.write(fault.evidence.stderr)
        _say(f"{fault.verdict}: {fault}")
        return 1
    sys.stdout.write(result.output)
    _say(f"Exit code {result.exit_code}, {result.usage.cpu_ms:.0f} ms of CPU, {result.usage.memory_peak_mib:.0f} MiB.")
    return 1 if result.exit_code else 0


_COMMANDS = {"selftest": _selftest, "languages": _languages, "run": _run}


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    sys.exit(main())
