"""Waiting for what no event tells of."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], picture: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is so; show the picture if it does not come true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, picture()
        time.sleep(0.2)
