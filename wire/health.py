"""``python -m wire.health``: whether this machine's worker, manager or clock does its work, for what restarts them.

They touch the file that ``HEALTH_FILE`` names whenever they have *done* something: a playing worker when it has heard
itself or plays, a managing worker when it has handled a message, the clock when it has sent one. A process that answers
a ping and does nothing any more lets the file grow old. Without ``HEALTH_FILE`` nothing is touched. Where systemd keeps
a watchdog (``NOTIFY_SOCKET``, sd_notify(3)), it is told the same and needs no file.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from pathlib import Path

SECONDS_MAX = 90.0
"""Older than this, the file tells of something that has stopped."""


def health_touch() -> None:
    """Note that this process has just done a piece of its work."""
    if name := os.environ.get("HEALTH_FILE"):
        Path(name).touch()
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notes:
            # A leading @ stands for the zero byte of an abstract address.
            notes.sendto(b"WATCHDOG=1", f"\0{address[1:]}" if address.startswith("@") else address)


def health_problem(file: Path, seconds_max: float) -> str:
    """Return what is wrong in one sentence; empty: nothing."""
    try:
        age_seconds = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return f"Nothing has been done yet: {file} does not exist."
    if age_seconds > seconds_max:
        return f"Nothing has been done for {age_seconds:.0f} seconds, by the age of {file}."
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Say how it is.

    Returns:
        The exit code: 0 when work is done, 1 when not.
    """
    parser = argparse.ArgumentParser(prog="python -m wire.health", description="Is work being done?")
    parser.add_argument("file", type=Path, nargs="?", default=os.environ.get("HEALTH_FILE"))
    parser.add_argument("--seconds", type=float, default=SECONDS_MAX, help="how old the file may be")
    told = parser.parse_args(arguments)
    if told.file is None:
        parser.error("name the file, or set HEALTH_FILE as for the worker itself")
    problem = health_problem(told.file, told.seconds)
    sys.stdout.write(f"{problem or 'Work is being done.'}\n")
    return int(bool(problem))


if __name__ == "__main__":
    sys.exit(main())
