"""Waiting, by an event or for what no event tells of."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], picture: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is so; show the picture if it does not come true."""
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
