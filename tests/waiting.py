"""Waiting for conditions and for the end of processes."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], picture: Callable[[], object], seconds: float = 60) -> None:
    """Wait until a condition is true; fail with what ``picture`` returns if it does not become true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, picture()
        time.sleep(0.2)


def ends(pidfd: int, seconds: float = 60) -> bool:
    """Wait for the end of a process; return whether it ended in time, and close its descriptor.

    A process still runs for a moment after somebody has sent it SIGKILL, and only its parent could wait for it.
    """
    try:
        return bool(select.select([pidfd], [], [], seconds)[0])
    finally:
        os.close(pidfd)
