"""``python -m tests.bench [--backend bubblewrap|docker] [--fair|--waiting N|--leftovers]``: what it costs and holds."""

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
    """Print one figure a line: times in milliseconds, those of a turn in microseconds."""
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        if arguments.fair:
            figures.print_values(fair.finished(_walls(arguments), folder), "")
        elif arguments.waiting:
            figures.print_values(waiting.ended_as_idle(_walls(arguments), folder, arguments.waiting), "")
        elif arguments.leftovers:
            figures.print_values(left.behind(_walls(arguments), folder), "")
        else:
            with closing(_walls(arguments)) as walls:
                figures.print_values(figures.start_ms(walls, folder), "ms")
            with figures.own_core(), closing(_walls(arguments)) as walls:
                figures.print_values(figures.turn_us(walls, folder), "us")
                figures.print_values(
                    {"match of 200 turns": 1e3 * figures.seconds(figures.silent_match(walls, folder), 12)}, "ms"
                )
            figures.print_values(throughput.matches_a_second_and_core(walls.name, arguments.ahead, folder), "")


def _walls(arguments: argparse.Namespace) -> Sandbox:
    try:
        return sandbox.backend(arguments.backend, ahead=arguments.ahead)
    except NoSandbox as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
