"""Measure how fast a game is, or all games.

Rates are in units a second of CPU time of this process: the median of the repeats, and the slowest and fastest.
"""

from __future__ import annotations

import argparse

import core
from core.bench import REPEATS, SECONDS, Measurement, cases, measure
from core.cli.text import say, table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``bench``."""
    parser.add_argument("game", nargs="?", choices=core.games(), help="default: all")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="measurements of each work (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of each repeat, at least (default: %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each game."""
    for name in [arguments.game] if arguments.game else core.games():
        results = [measure(case, repeats=arguments.repeats, seconds=arguments.seconds) for case in cases(name)]
        say(table([(name, "batch", "median", "", "slowest", "fastest", "repeats"), *map(_row, results)]))
    return 0


def _row(result: Measurement) -> tuple[str, ...]:
    case, rates = result.case, result.rates
    return (
        case.name,
        f"{case.batch:,}",
        f"{result.median:,.0f}",
        f"{case.units}/s",
        f"{min(rates):,.0f}",
        f"{max(rates):,.0f}",
        str(len(rates)),
    )
