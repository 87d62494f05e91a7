"""Checks that this machine has enough disk space for a job: downloaded bots, unpacked files and builds."""

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

FREE_MIB_MIN = 2 * ARTIFACT_BYTES_MAX >> 20
"""Enough for the largest artifact and its unpacked files."""
_POLL_SECONDS = 1.0

log = structlog.get_logger()


def disk_space_fault() -> str:
    """Return a sentence that names the folder with too little disk space, and the remedy; empty if there is enough."""
    for folder in (worker_folder(), tempfile.gettempdir()):
        if _free_mib(folder) < FREE_MIB_MIN:
            return f"Less than {FREE_MIB_MIN} MiB are free in {folder}: free disk space, or nothing is played."
    return ""


def _free_mib(folder: Path | str) -> float:
    try:
        return shutil.disk_usage(folder).free / 2**20
    except FileNotFoundError:  # somebody has deleted the folder to free disk space: the next job creates it again
        return math.inf


def disk_space_awaited() -> bool:
    """Wait until there is enough disk space; return False if the job that waits for it has expired meanwhile.

    A worker with a full disk would fail every job it takes, and three such failures void a match. Call this before the
    job's first heartbeat: the site gets none while the job waits, and gives the same attempt to another worker.
    """
    ends = time.monotonic() + JOB_EXPIRES_SECONDS
    if fault := disk_space_fault():
        log.error("disk_full", sentence=fault)
    while disk_space_fault():
        if time.monotonic() >= ends:
            return False
        time.sleep(_POLL_SECONDS)
    return True
