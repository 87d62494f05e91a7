"""Check a game: tell in whole sentences what is missing or wrong, and what to do.

GAME is the name of a game whose package is installed, or the folder of a package, installed or not. Its rules play
random matches, its words, viewer, guide and starter kits are read, and each kit plays a match in the languages that are
installed here. The exit code is 0 if all is in order, else 1.
"""

from __future__ import annotations

import argparse
import sys

from banzuke.packages import games_found
from banzuke.testing import findings, notes
from banzuke.testing.kits import kit_findings
from banzuke.text import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``game check``."""
    parser.add_argument("game", metavar="GAME", help="name of a game, or folder of its package")
    parser.add_argument("--no-kits", action="store_true", help="build and play no starter kits, which takes longest")


def run(arguments: argparse.Namespace) -> int:
    """Check the games and print what was found."""
    with games_found(arguments.game) as names:
        in_order = [_in_order(name, kits=not arguments.no_kits) for name in names]
    return int(not all(in_order))


def _in_order(name: str, *, kits: bool) -> bool:
    sys.stderr.write(f"Checking {name} ...\n")
    found = 0
    for finding in findings(name):
        say(f"- {finding}")
        found += 1
    if found:
        say("- starter kits: They were not tried, since there is something else to mend.")
    elif kits:
        for finding in kit_findings(name):
            say(f"- {finding}")
            found += not finding.is_note
    for note in notes(name):
        say(f"- {note}")
    things = "1 thing" if found == 1 else f"{found} things"
    say(f"{name} is not in order: {things} to mend." if found else f"{name} is in order.")
    return not found
