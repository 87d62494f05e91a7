"""The command line ``python -m tests.studies.rating``: ``simulate`` and ``bench``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from core.arguments import positive, seed, whole
from tests.studies.fits import bench
from tests.studies.ladder import study
from tests.studies.newcomers import newcomers_study


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 2, with a sentence on standard error, if the input is wrong."""
    arguments = _parser().parse_args(argv)
    try:
        for answer in _answers(arguments):
            sys.stdout.write(_line(answer, arguments) + "\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, MemoryError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _answers(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    if arguments.command == "bench":
        for players in arguments.players:
            yield from bench(bots=arguments.bots, matches=arguments.matches, players=players)
    else:
        season = {"bots": arguments.bots, "matches_per_bot": arguments.matches_per_bot, "seed": arguments.seed}
        yield from study(**season)
        if arguments.newcomers:
            yield newcomers_study(**season, pairs=arguments.newcomers)


def _line(answer: dict[str, Any], arguments: argparse.Namespace) -> str:
    """Return the line that is printed for an answer."""
    if arguments.command == "bench" and not arguments.json:
        return "{players} players  {what:<5} {seconds:>8.3f} s {memory_mib:>6} MiB".format_map(answer)
    return msgspec.json.encode(answer).decode()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.studies.rating", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    season = commands.add_parser("simulate", help="let bots of known strength play; prints a JSON line a checkpoint")
    season.add_argument("--bots", type=positive, default=200)
    season.add_argument("--matches-per-bot", type=positive, default=115)
    season.add_argument("--seed", type=seed, default=1)
    season.add_argument("--newcomers", type=positive, help="pairs that come later; prints a line on them")
    timing = commands.add_parser("bench", help="time fits of a large ladder; prints a table")
    timing.add_argument("--bots", type=positive, default=10_000)
    timing.add_argument("--matches", type=positive, default=1_000_000)
    timing.add_argument("--players", type=whole, nargs="+", choices=(2, 3, 4), default=[2, 4])
    timing.add_argument("--json", action="store_true", help="a JSON line a row instead")
    return parser


if __name__ == "__main__":
    sys.exit(main())
