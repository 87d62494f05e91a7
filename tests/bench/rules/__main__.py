"""``python -m tests.bench.rules [GAME]``: measure how fast a game is, or all games.

Rates are in units a second of CPU time of this process, times are of one unit: the median of the repeats, and the
slowest and fastest. The last column tells how many times as fast as our reference in plain Python that is.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

import msgspec

from banzuke.arguments import game_name
from banzuke.text import say, table
from core.arguments import positive
from games.registry import game_names
from tests.bench.rules import REPEATS, SECONDS, Measurement, cases, measure


def main(argv: Sequence[str] | None = None) -> None:
    """Print a table for each game, or one object for all."""
    arguments = _parser().parse_args(argv)
    how = {"repeats": arguments.repeats, "seconds": arguments.seconds}
    names = [arguments.game] if arguments.game else game_names()
    if arguments.json:
        named = [case for name in names for case in cases(name) if case.key]
        say(msgspec.json.encode({case.key: _object(measure(case, **how)) for case in named}).decode())
        return
    for name in names:
        rows = [_row(measure(case, **how)) for case in cases(name)]
        say(table([(name, "batch", "median", "", "slowest", "fastest", "repeats", "times plain Python"), *rows]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rules", description=__doc__)
    parser.add_argument("game", nargs="?", type=game_name, choices=game_names(), help="default: all")
    parser.add_argument(
        "--repeats", type=positive, default=REPEATS, help="measurements of each work (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=seconds, default=SECONDS, help="of each repeat, at least (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, of the works with lasting names")
    return parser


def _object(result: Measurement) -> dict[str, float | str | None]:
    return {"value": result.value, "unit": result.unit, "times_plain_python": result.times_plain_python}


def _row(result: Measurement) -> tuple[str, ...]:
    case, ratio = result.case, result.times_plain_python
    slow_to_fast = sorted(result.values, reverse=bool(case.timed))
    return (
        case.name,
        f"{case.batch:,}",
        _number(result.value),
        result.unit,
        _number(slow_to_fast[0]),
        _number(slow_to_fast[-1]),
        str(len(result.values)),
        "" if ratio is None else _number(ratio),
    )


def _number(value: float) -> str:
    """Return a number as text with separated thousands, below 100 with three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def seconds(text: str) -> float:
    """Parse a duration in seconds, 0 <= seconds < infinity."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return number


if __name__ == "__main__":
    main()
