"""Work that a managing process does in threads, since it takes long and must not keep it from workers' reports."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog
from django.db import connections

_running: dict[str, threading.Thread] = {}

log = structlog.get_logger(__name__)


def background_run(name: str, work: Callable[[], None]) -> None:
    """Call a function in a thread of its own, unless the one that was begun under this name still runs here.

    The thread ends with its process, so the function must be able to go on where a killed one has stopped.

    Args:
        name: name of the work, also of its thread.
        work: what is called. If it raises, that is logged; the timetable calls this function again.
    """
    if name in _running and _running[name].is_alive():
        return

    def run() -> None:
        try:
            work()
        except Exception:
            log.exception("background_failed", work=name)
        finally:
            connections.close_all()

    _running[name] = threading.Thread(target=run, name=name, daemon=True)
    _running[name].start()
