"""Whether this machine's disk has room for what a job needs: bots that are fetched, and what is unpacked and built."""

from __future__ import annotations

import shutil
import tempfile
import time

import structlog

from workers.environment import worker_folder
from workers.transport import JOB_EXPIRES_SECONDS

ROOM_MIB_MIN = 64
"""As the site asks of its own disk: an artifact may be so large."""
_LOOK_SECONDS = 1.0

log = structlog.get_logger()


def room_fault() -> str:
    """Return where room is missing, in a sentence with the remedy; empty if there is enough."""
    for folder in (worker_folder(), tempfile.gettempdir()):
        if shutil.disk_usage(folder).free < ROOM_MIB_MIN << 20:
            return f"Less than {ROOM_MIB_MIN} MiB are free in {folder}: make room there; until then nothing is played."
    return ""


def room_awaited() -> bool:
    """Wait until there is room, before anything is done for a job, and no sign of life given.

    A worker that went on would fail each job that it takes, and three times make a match void. While it waits, the site
    finds the message lost and gives the same attempt to others.

    Returns:
        Whether there is room; not, when the job has expired meanwhile.
    """
    ends = time.monotonic() + JOB_EXPIRES_SECONDS
    if fault := room_fault():
        log.error("disk_full", sentence=fault)
    while room_fault():
        if time.monotonic() >= ends:
            return False
        time.sleep(_LOOK_SECONDS)
    return True
