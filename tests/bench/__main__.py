"""Benchmarks of the sandbox: costs of starts, turns and matches, fair time, what matches leave behind.

``python -m tests.bench [--backend bubblewrap|docker] [--fair|--waiting N|--leftovers]``
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import sandbox
from sandbox.api import NoSandbox, Sandbox
from tests.bench import fair, figures, left, throughput, waiting


def main() -> None:
    """Run the chosen benchmark and print one figure a line, with its unit."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        if arguments.fair:
            _print(fair.finished(_isolation(arguments), folder), "")
        elif arguments.waiting:
            _print(waiting.ended_as_idle(_isolation(arguments), folder, arguments.waiting), "")
        elif arguments.leftovers:
            _print(left.behind(_isolation(arguments), folder), "")
        else:
            _costs(arguments, folder)


def _isolation(arguments: argparse.Namespace) -> Sandbox:
    try:
        return sandbox.backend(arguments.backend, ahead=arguments.ahead)
    except NoSandbox as fault:
        sys.exit(str(fault))


def _costs(arguments: argparse.Namespace, folder: Path) -> None:
    with closing(_isolation(arguments)) as isolation:
        _print(figures.start_ms(isolation, folder), "ms")
    with figures.own_core(), closing(_isolation(arguments)) as isolation:
        _print(figures.turn_us(isolation, folder), "us")
        _print(figures.match_ms(isolation, folder), "ms")
    _print(throughput.matches_a_second_and_core(isolation.name, arguments.ahead, folder), "")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--backend", choices=sandbox.NAMES, default="auto")
    parser.add_argument("--ahead", type=int, default=2, help="containers started ahead (default: %(default)s)")
    parser.add_argument("--fair", action="store_true", help="100 matches beside burners")
    parser.add_argument(
        "--waiting", type=int, metavar="N", help="N matches of bots that look at a wall clock, alone and beside burners"
    )
    parser.add_argument(
        "--leftovers", action="store_true", help="200 hostile matches, every tenth of them with its player killed"
    )
    return parser.parse_args()


def _print(values: dict[str, float], unit: str) -> None:
    for name, value in values.items():
        sys.stdout.write(f"{name}: {value:.1f} {unit}\n")


if __name__ == "__main__":
    main()
