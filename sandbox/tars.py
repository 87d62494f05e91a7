"""The one reader of tars at workers: of what a build step has left, and of uploads and artifacts from the store.

It knows no more of the format than GNU tar and ``wire.packing`` write of files and folders.

The attack: a build writes to the stream itself that its tar should come by (with Docker it can open it), or an invited
host stores a tar of its own as what it has built, and other workers fetch it. Of what Python's tarfile makes of such a
tar, a sparse file of a few bytes fills the disk, a path of 1,800 folders cannot be removed any more, and headers of
headers of headers keep a worker busy for minutes. Here a file is never larger than what has come of it, and bytes,
entries and lengths of paths are counted while they are written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

BLOCK = 512
NAME, MODE, SIZE, KIND = slice(0, 100), slice(100, 108), slice(124, 136), slice(156, 157)
"""Where in a header it says so (tar(5))."""
LONG_NAME, PAX, FOLDER, FILE = b"L", b"x", b"5", b"0"
NAME_BYTES_MAX = 255
"""Of a whole path, so that no folder is deeper than who walks through it, or removes it, can follow."""
ENTRIES_MAX = 2_000
BYTES_MAX = 64 * 1024 * 1024
"""Of all files together."""
EXECUTABLE = 0o100
_PAX_LENGTH = re.compile(rb"([1-9][0-9]{0,4}) ")


class BadTar(ValueError):  # noqa: N818
    """A tar that we would not have made, or a folder that we do not make one of. Its text is a whole sentence."""


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
        BadTar: it is no tar that GNU tar or we make, or holds something else, or too much. What came before is written.
        OSError: it cannot be written.
    """
    left_bytes = BYTES_MAX
    for count, entry in enumerate(_entries(archive)):
        left_bytes -= len(entry.data)
        if count == ENTRIES_MAX:
            raise BadTar(f"The tar holds more than {ENTRIES_MAX} files and folders.")
        if left_bytes < 0:
            raise BadTar(f"The tar holds more than {BYTES_MAX // 1024**2} MiB.")
        if leads_out(entry.name):
            raise BadTar(f"The tar holds {entry.name!r}, which leads out of its folder.")
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
        raise BadTar(f"The tar holds {entry.name!r} as a file and as a folder.") from error


def _entries(archive: IO[bytes]) -> Iterator[Entry]:
    end, long_name = archive.seek(0, os.SEEK_END), b""
    archive.seek(0)
    while any(header := _read(archive, BLOCK)):
        kind, size = header[KIND], min(_octal(header[SIZE]), end)  # or else Python makes room for all that it promises
        data = _read(archive, -(-size // BLOCK) * BLOCK)[:size]
        if kind in (LONG_NAME, PAX):
            long_name = data if kind == LONG_NAME else _path(data)
            continue
        name = os.fsdecode(_text(long_name or header[NAME]))
        if len(os.fsencode(name)) > NAME_BYTES_MAX:
            raise BadTar(f"The tar holds {name[:40]!r}..., which is longer than {NAME_BYTES_MAX} bytes.")
        if kind not in (FILE, FOLDER):
            raise BadTar(f"The tar holds {name!r}, which is no regular file or folder.")
        yield Entry(name, kind == FOLDER, bool(_octal(header[MODE]) & EXECUTABLE), data)
        long_name = b""


def _path(records: bytes) -> bytes:
    """Return the path in a pax header, of records ``length key=value`` and a line break each (POSIX.1-2017, pax)."""
    path = b""
    while records:
        length = _PAX_LENGTH.match(records)
        record, records = (records[: int(length[1])], records[int(length[1]) :]) if length else (b"", b"")
        key, _, value = record[len(length[0]) if length else 0 :].partition(b"=")
        # The attack: a size in such a header is another one than the header's, and below nothing as well.
        if key not in (b"path", b"hdrcharset") or not value.endswith(b"\n"):
            raise BadTar("The tar tells more of a file than its path.")
        path = value[:-1] if key == b"path" else path
    return path


def _read(archive: IO[bytes], size: int) -> bytes:
    data = archive.read(size)
    if len(data) < size:
        raise BadTar("The tar is cut off.")
    return data


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _octal(field: bytes) -> int:
    """Return a number as tar writes it. What int() takes besides, a sign above all, is none."""
    digits = _text(field).strip()
    if not digits or digits.strip(b"01234567"):
        raise BadTar("This is no tar.")
    return int(digits, 8)
