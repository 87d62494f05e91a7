"""The match log of a contest as a file that anybody can download: written once for each set of results, with gzip.

The file can be read while it is written, so that the download of a million matches begins at once.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import structlog
from django.conf import settings
from django.db import close_old_connections, connections

from matches.services.ratings import board_watermark, match_log_published

GZIP_LEVEL = 6
_SUFFIX, _PART = ".jsonl.gz", ".part"
_WHOLE = 0o644
"""The mode that a file gets when it is complete, just before its name loses ``.part``."""
_LOOK_SECONDS = 0.05

log = structlog.get_logger(__name__)


class LogBroken(Exception):  # noqa: N818 - says what happened
    """The thread or process that wrote the log has ended before the log was complete."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A stored log."""

    path: Path
    """JSON lines, gzip; see ``rating.log``. It may still be incomplete; read it with ``log_open``."""
    watermark: str
    """Digest of the set of results in it."""


def log_file(*, contest: str) -> LogFile:
    """Return the log that the board of a contest was made from, and begin to write it if it is not stored.

    While another process writes a log of the contest, that one is returned. ``contest`` is the contest's key.

    Raises:
        OSError: it cannot be written.
    """
    folder = Path(settings.DATA) / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        if stored := _named(folder, contest, board_watermark(contest=contest)):
            return stored
        # Ten requests that wait for the writer must not hold all connections to the database.
        close_old_connections()
        if (lock := _lock(folder, contest)) is not None:
            begun: Future[LogFile] = Future()
            threading.Thread(target=_make, args=(contest, folder, lock, begun), daemon=True).start()
            return begun.result()
        # A log that another process is writing now is new enough.
        if being_made := _named(folder, contest, "*", _PART):
            return being_made
        time.sleep(_LOOK_SECONDS)


def log_open(file: LogFile) -> tuple[IO[bytes], Callable[[], bool]]:
    """Open a log, complete or not.

    Returns:
        The open file, and a function that tells whether the file is complete. The function raises ``LogBroken`` if it
        never will be.

    Raises:
        FileNotFoundError: a newer log has taken its place.
    """
    path = file.path
    if path.suffix == _PART:
        with suppress(FileNotFoundError):
            part = path.open("rb")
            return part, lambda: _is_whole(part)
        path = path.with_suffix("")  # it has been completed meanwhile
    return path.open("rb"), lambda: True


def _is_whole(opened: IO[bytes]) -> bool:
    """Tell whether a file that was opened as ``.part`` is complete by now; raise LogBroken if it never will be."""
    if os.fstat(opened.fileno()).st_mode & 0o777 == _WHOLE:
        return True
    try:
        fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:  # its writer still holds the lock
        return False
    if os.fstat(opened.fileno()).st_mode & 0o777 == _WHOLE:
        return True
    raise LogBroken


def _named(folder: Path, contest: str, watermark: str, ending: str = "") -> LogFile | None:
    for path in folder.glob(f"{contest}-{watermark}{_SUFFIX}{ending}"):
        return LogFile(path, path.name.removeprefix(f"{contest}-").partition(".")[0])
    return None


def _lock(folder: Path, contest: str) -> int | None:
    """Lock the writing of this contest's log on this machine; return the open lock file, or None if it is locked.

    The attack: with every new result there is a new log to write, so a client that asks again and again has many
    written at the same time.
    """
    handle = os.open(folder / f".{contest}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _make(contest: str, folder: Path, lock: int, begun: Future[LogFile]) -> None:
    """Write the log; runs in a thread of its own, so that it does not depend on how fast any client downloads."""
    try:
        for left in folder.glob(f"{contest}-*{_PART}"):  # left by a killed process: only the lock's holder writes
            left.unlink()
        _write(contest, folder, begun)
    except BaseException as error:
        if begun.done():
            log.exception("log_broken", contest=contest)
        else:
            begun.set_exception(error)
    finally:
        connections.close_all()
        os.close(lock)


def _write(contest: str, folder: Path, begun: Future[LogFile]) -> None:
    """Write the log to a new file, which gets its final name when it is complete."""
    with match_log_published(contest=contest) as (watermark, batches):
        path = folder / f"{contest}-{watermark}{_SUFFIX}"
        if path.exists():  # stored already, though the watermark of the board does not name it
            begun.set_result(LogFile(path, watermark))
            return
        part = path.with_name(path.name + _PART)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(descriptor, "wb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                begun.set_result(LogFile(part, watermark))
                with gzip.GzipFile(fileobj=file, filename="", mode="wb", compresslevel=GZIP_LEVEL, mtime=0) as packed:
                    for lines in batches:
                        packed.write(b"".join(line + b"\n" for line in lines))
                        packed.flush()
                file.flush()
                os.fchmod(file.fileno(), _WHOLE)
                part.replace(path)
        finally:
            with suppress(FileNotFoundError):
                part.unlink()
    for old in folder.glob(f"{contest}-*{_SUFFIX}"):
        if old != path:
            old.unlink()  # a download that reads it goes on reading
