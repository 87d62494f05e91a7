"""Waiting for conditions and for the end of processes."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], picture: Callable[[], object], seconds: float = 60) -> None:
    """Wait until a condition is true; fail with the picture if it does not become true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, picture()
        time.sleep(0.2)


def ends(pidfd: int, seconds: float = 60) -> bool:
    """Whether a process ends in time. The descriptor that watches it is closed.

    Who sends SIGKILL goes on before it is served: only the parent can wait for that otherwise.
    """
    try:
        return bool(select.select([pidfd], [], [], seconds)[0])
    finally:
        os.close(pidfd)
