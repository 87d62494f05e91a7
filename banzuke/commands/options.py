"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from banzuke.arguments import add_variant
from core.arguments import positive, seed
from sandbox import NAMES


def add_sandbox(parser: argparse.ArgumentParser) -> None:
    """Declare ``--sandbox``."""
    parser.add_argument(
        "--sandbox", nargs="?", const="auto", choices=NAMES, help="keep the bots in a sandbox, as the arena does"
    )


def add_parallel(parser: argparse.ArgumentParser) -> None:
    """Declare ``--parallel``."""
    parser.add_argument("--parallel", type=positive, default=os.cpu_count(), help="matches at a time (%(default)s)")


def add_matches(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of commands that play matches on one board after another."""
    add_variant(parser)
    parser.add_argument("--first-seed", type=seed, default=0, help="of the first board (default: %(default)s)")
    add_parallel(parser)
    parser.add_argument("--log", type=Path, help="file of the results; the command goes on with it")
    add_sandbox(parser)
