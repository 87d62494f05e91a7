"""``python -m wire.health``: checks that this machine's worker, manager or beat process does its work.

Container engines run it, and restart processes that fail it. These processes touch the file ``HEALTH_FILE`` whenever
they have *done* something: a playing worker when it has received its own ping or plays, a managing worker when it has
handled a message, Celery beat when it has sent one. A process that still answers pings and does nothing lets the file
grow old. Without ``HEALTH_FILE`` nothing is touched. Under systemd (``NOTIFY_SOCKET``, sd_notify(3)) the processes
notify its watchdog at the same moments, and need no file.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from pathlib import Path

SECONDS_MAX = 90.0
"""A file older than this belongs to a process that has stopped working."""


def health_touch() -> None:
    """Touch ``HEALTH_FILE`` and notify systemd's watchdog: this process has just done a piece of its work."""
    if name := os.environ.get("HEALTH_FILE"):
        Path(name).touch()
    if path := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as watchdog:
            # A leading @ stands for the zero byte of a socket in Linux' abstract namespace.
            watchdog.sendto(b"WATCHDOG=1", f"\0{path[1:]}" if path.startswith("@") else path)


def main(arguments: list[str] | None = None) -> int:
    """Print whether work is being done.

    Returns:
        The exit code: 0 if it is, 1 if not.
    """
    parser = argparse.ArgumentParser(prog="python -m wire.health", description="Is work being done?")
    parser.add_argument("file", type=Path, nargs="?", default=os.environ.get("HEALTH_FILE"))
    parser.add_argument("--seconds", type=float, default=SECONDS_MAX, help="how old the file may be")
    options = parser.parse_args(arguments)
    if options.file is None:
        parser.error("name the file, or set HEALTH_FILE as for the worker itself")
    problem = ""
    try:
        if (age_seconds := time.time() - options.file.stat().st_mtime) > options.seconds:
            problem = f"Nothing has been done for {age_seconds:.0f} seconds, by the age of {options.file}."
    except FileNotFoundError:
        problem = f"Nothing has been done yet: {options.file} does not exist."
    sys.stdout.write(f"{problem or 'Work is being done.'}\n")
    return int(bool(problem))


if __name__ == "__main__":
    sys.exit(main())
