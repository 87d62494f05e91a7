"""Reading the tar of what a step has left: no more of the format than GNU tar writes of files and folders.

The attack: a build writes to the stream itself that its tar should come by (with Docker it can open it), and what
Python's tarfile makes of that would be ours to bear. A sparse file of a few bytes that unpacks to exabytes fills the
disk of the worker, headers of headers of headers keep it busy for minutes. Here a file is never larger than what has
come of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from sandbox.api import BotFault, Verdict

BLOCK = 512
NAME, MODE, SIZE, KIND = slice(0, 100), slice(100, 108), slice(124, 136), slice(156, 157)
"""Where in a header it says so (tar(5))."""
LONG_NAME, FOLDER, FILE = b"L", b"5", b"0"
NAME_BYTES_MAX = 255
"""Of a whole path, so that no folder is deeper than who walks through it can follow."""
ENTRIES_MAX = 2_000
EXECUTABLE = 0o100


class Entry(NamedTuple):
    """A file or folder of a tar."""

    name: str
    is_folder: bool
    executable: bool
    data: bytes


def unpack(archive: IO[bytes], root: Path) -> None:
    """Write all files and folders of a tar below a folder that nobody else writes to.

    No link is ever made here, so none can lead a later file out of the folder.

    Raises:
        BotFault: it is no tar that GNU tar makes, or holds something else, or too much. What came before is written.
        OSError: it cannot be written.
    """
    for count, entry in enumerate(_entries(archive)):
        if count == ENTRIES_MAX:
            raise _refused(f"there are more than {ENTRIES_MAX} files and folders.")
        if leads_out(entry.name):
            raise _refused(f"{entry.name!r} leads out of its folder.")
        _write(root / entry.name, entry)


def leads_out(name: str) -> bool:
    """Tell whether a name in a tar points out of the folder that it is unpacked to. The attack: ../../etc/cron.d/x."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts


def _write(target: Path, entry: Entry) -> None:
    try:
        if entry.is_folder:
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(entry.data)
            target.chmod(0o755 if entry.executable else 0o644)
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise _refused(f"{entry.name!r} is a file and a folder.") from error


def _entries(archive: IO[bytes]) -> Iterator[Entry]:
    end, long_name = archive.seek(0, os.SEEK_END), b""
    archive.seek(0)
    while any(header := _read(archive, BLOCK)):
        kind, size = header[KIND], min(_octal(header[SIZE]), end)  # or else Python makes room for all that it promises
        data = _read(archive, -(-size // BLOCK) * BLOCK)[:size]
        if kind == LONG_NAME:
            long_name = data
            continue
        name = os.fsdecode(_text(long_name or header[NAME]))
        if len(os.fsencode(name)) > NAME_BYTES_MAX:
            raise _refused(f"{name[:40]!r}... is longer than {NAME_BYTES_MAX} bytes.")
        if kind not in (FILE, FOLDER):
            raise BotFault(Verdict.OUTPUT, f"The step left {name!r}: only regular files and folders are taken.")
        yield Entry(name, kind == FOLDER, bool(_octal(header[MODE]) & EXECUTABLE), data)
        long_name = b""


def _read(archive: IO[bytes], size: int) -> bytes:
    data = archive.read(size)
    if len(data) < size:
        raise _refused("it is cut off.")
    return data


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _octal(field: bytes) -> int:
    """Return a number as tar writes it. What int() takes besides, a sign above all, is none."""
    digits = _text(field).strip()
    if not digits or digits.strip(b"01234567"):
        raise _refused("it is no tar.")
    return int(digits, 8)


def _refused(reason: str) -> BotFault:
    return BotFault(Verdict.OUTPUT, f"What the step left cannot be taken: {reason}")
