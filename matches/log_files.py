"""The match log of a game as a file that anybody can download: made once for each set of results, kept compressed."""

from __future__ import annotations

import fcntl
import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import close_old_connections

from matches.services.ratings import board_watermark, match_log_published, ratings_watermark

GZIP_LEVEL = 6
_SUFFIX = ".jsonl.gz"


@dataclass(frozen=True, slots=True)
class LogFile:
    """A stored log."""

    path: Path
    """JSON lines, gzip; see ``ladder.rating.log``."""
    watermark: str
    """Names the set of results in it."""


def log_file(*, game: str) -> LogFile:
    """Return the log that the board of a game was made from; it is made only if there is none of just that."""
    folder = Path(settings.DATA) / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    stored = _stored(game, folder)
    # The latter where it cannot be told what the board was made from: then the log that was made is of all results.
    made = stored.get(board_watermark(game=game)) or stored.get(ratings_watermark(game=game))
    if made:
        return made
    # Ten who wait for the one who makes it must not keep all connections from those who read pages.
    close_old_connections()
    with _alone(folder):
        # What somebody else has made while we waited is new enough.
        news = [log for watermark, log in _stored(game, folder).items() if watermark not in stored]
        return news[0] if news else _made(game, folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Make one log at a time on this machine.

    The attack it stops: to make a log of a million matches takes some hundred MiB and half a minute. With every result
    that comes in there is a new one to be made: whoever asks again and again would have many made side by side.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _stored(game: str, folder: Path) -> dict[str, LogFile]:
    """Return the logs of a game that are there, by their watermarks."""
    names = {
        path: path.name.removeprefix(f"{game}-").removesuffix(_SUFFIX) for path in folder.glob(f"{game}-*{_SUFFIX}")
    }
    return {watermark: LogFile(path, watermark) for path, watermark in names.items()}


def _made(game: str, folder: Path) -> LogFile:
    for left in folder.glob("*.part"):  # of a process that was killed; who writes here is alone
        left.unlink(missing_ok=True)
    made = _write(game, folder)
    for old in _stored(game, folder).values():
        if old != made:
            old.path.unlink(missing_ok=True)  # whoever reads it goes on reading
    return made


def _write(game: str, folder: Path) -> LogFile:
    """Write the log to a new file, which appears whole or not at all."""
    log, watermark = match_log_published(game=game)
    path = folder / f"{game}-{watermark}{_SUFFIX}"
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part") as part:
        with gzip.GzipFile(fileobj=part, mode="wb", compresslevel=GZIP_LEVEL, mtime=0) as packed:
            for line in log.lines():
                packed.write(line + b"\n")
        part.flush()
        with suppress(FileExistsError):  # another process has made the same
            os.link(part.name, path)
    return LogFile(path, watermark)
