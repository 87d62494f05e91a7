"""Whether this machine's disk has room for what a job needs: bots that are fetched, and what is unpacked and built."""

from __future__ import annotations

import math
import shutil
import tempfile
import time
from pathlib import Path

import structlog

from wire.transport import JOB_EXPIRES_SECONDS
from workers.artifacts import ARTIFACT_BYTES_MAX
from workers.environment import worker_folder

ROOM_MIB_MIN = 2 * ARTIFACT_BYTES_MAX >> 20
"""For the largest artifact and what is unpacked of it."""
_LOOK_SECONDS = 1.0

log = structlog.get_logger()


def room_fault() -> str:
    """Return where room is missing, in a sentence with the remedy; empty if there is enough."""
    for folder in (worker_folder(), tempfile.gettempdir()):
        if _free_mib(folder) < ROOM_MIB_MIN:
            return f"Less than {ROOM_MIB_MIN} MiB are free in {folder}: make room there; until then nothing is played."
    return ""


def _free_mib(folder: Path | str) -> float:
    try:
        return shutil.disk_usage(folder).free / 2**20
    except FileNotFoundError:  # whoever made room took the folder away: the next job makes it again
        return math.inf


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
