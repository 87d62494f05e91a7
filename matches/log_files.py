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

from matches.services.ratings import match_log, ratings_watermark

GZIP_LEVEL = 6
_SUFFIX = ".jsonl.gz"
_TRIES = 3


@dataclass(frozen=True, slots=True)
class LogFile:
    """A stored log."""

    path: Path
    """JSON lines, gzip; see ``ladder.rating.log``."""
    watermark: str
    """Names the set of results in it."""


def log_file(*, game: str) -> LogFile:
    """Return the log of all rated matches of a game as they are now; it is made only if there is none of just these."""
    folder = Path(settings.DATA) / "logs"
    watermark = ratings_watermark(game=game)
    path = folder / f"{game}-{watermark}{_SUFFIX}"
    if path.exists():
        return LogFile(path, watermark)
    folder.mkdir(parents=True, exist_ok=True)
    before = set(_stored(game, folder))
    # Ten who wait for the one who makes it must not keep all connections from those who read pages.
    close_old_connections()
    with _alone(folder):
        # What somebody else has made while we waited is new enough.
        made = next(iter(set(_stored(game, folder)) - before), None)
        return made or _made(game, folder, watermark)


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


def _stored(game: str, folder: Path) -> Iterator[LogFile]:
    for path in folder.glob(f"{game}-*{_SUFFIX}"):
        yield LogFile(path, path.name.removeprefix(f"{game}-").removesuffix(_SUFFIX))


def _made(game: str, folder: Path, watermark: str) -> LogFile:
    path, watermark = _write(game, folder, watermark)
    for old in _stored(game, folder):
        if old.path != path:
            old.path.unlink(missing_ok=True)  # whoever reads it goes on reading
    return LogFile(path, watermark)


def _write(game: str, folder: Path, watermark: str) -> tuple[Path, str]:
    """Write the log to a new file, which appears whole or not at all; returns it with the watermark of what it holds.

    A result that comes in meanwhile may be in it or not: then it is written again, a few times at most. The lines of an
    arena where results never pause are true all the same, only their watermark may be that of a moment before.
    """
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part") as part:
        for _ in range(_TRIES):
            part.seek(0)
            part.truncate()
            with gzip.GzipFile(fileobj=part, mode="wb", compresslevel=GZIP_LEVEL, mtime=0) as packed:
                for line in match_log(game=game).lines():
                    packed.write(line + b"\n")
            before, watermark = watermark, ratings_watermark(game=game)
            if before == watermark:
                break
        part.flush()
        path = folder / f"{game}-{before}{_SUFFIX}"
        with suppress(FileExistsError):  # another process has made the same
            os.link(part.name, path)
    return path, before
