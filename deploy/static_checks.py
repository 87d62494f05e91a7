"""``python -m deploy.static_checks [NAME...]``: runs the static checks of ``make test``, or the named ones."""

from __future__ import annotations

import argparse
import sys

from deploy.arena import say
from deploy.testing import STATIC_CHECKS, CheckFailed, check


def main(argv: list[str] | None = None) -> int:
    """Run the wanted checks, also after one of them has failed; return the exit code, 1 if one has found something."""
    names = [name for name, _, _ in STATIC_CHECKS]
    parser = argparse.ArgumentParser(prog="python -m deploy.static_checks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names)}; default: all")
    wanted = parser.parse_args(argv).names or names
    if unknown := set(wanted) - set(names):
        parser.error(f"There is no check {', '.join(sorted(unknown))}.")
    failed = 0
    for name, command, env in STATIC_CHECKS:
        if name in wanted:
            try:
                check(name, command, env)
            except CheckFailed as reason:
                say(str(reason))
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
