"""Unpacks the tar with the output of a build step, and reads the files of a folder with such an output.

The attack: a build writes a forged tar to the stream that carries its output (with Docker it can open that stream), or
an invited host stores a forged tar as the output of a build, and other workers fetch it. So paths have a limited length
(a folder 1,800 levels deep cannot be removed), and bytes and entries are counted while they are written.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from core.message import Message
from core.tars import ArchiveEntry, BadTar, tar_entries

NAME_BYTES_MAX = 255
"""The longest path in a tar, so that every folder can be read and removed."""
ENTRIES_MAX = 2_000
BYTES_MAX = 64 * 1024 * 1024
"""The largest size of all files together."""


def unpack(tar: bytes, root: Path) -> None:
    """Write all files and folders of a tar to a folder, which is created if it is missing.

    No other process may write to the folder. Links are never created, so no link can lead a later file out of it.

    Raises:
        BadTar: the tar is damaged, too large, or holds more than files and folders; the entries before are written.
        OSError: the folder cannot be written.
    """
    root.mkdir(mode=0o755, exist_ok=True)
    left_bytes = BYTES_MAX
    for count, entry in enumerate(tar_entries(tar)):
        left_bytes -= len(entry.data)
        path = PurePosixPath(entry.name)
        if count == ENTRIES_MAX:
            raise BadTar(Message("tar-entries", {"most": ENTRIES_MAX}))
        if left_bytes < 0:
            raise BadTar(Message("tar-size", {"most": BYTES_MAX // 1024**2}))
        if len(os.fsencode(path)) > NAME_BYTES_MAX:
            raise BadTar(Message("tar-long-name", {"name": repr(entry.name[:40]), "most": NAME_BYTES_MAX}))
        if path.is_absolute() or ".." in path.parts:
            raise BadTar(Message("tar-outside", {"name": repr(entry.name)}))
        _write(root / path, entry)


def _write(target: Path, entry: ArchiveEntry) -> None:
    try:
        if entry.is_folder:
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(entry.data)
            target.chmod(0o755 if entry.executable else 0o644)
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise BadTar(Message("tar-twice", {"name": repr(entry.name)})) from error


def folder_files(root: Path) -> list[ArchiveEntry]:
    """Return all files of a folder that an ended build has written.

    Links are never followed. The attack: a build leaves a link to ``/etc/shadow``, and the worker publishes that file.

    Raises:
        BadTar: the folder is too large, or holds more than files and folders.
    """
    files: list[ArchiveEntry] = []
    left_bytes = BYTES_MAX
    for path in root.rglob("*"):
        name, status = path.relative_to(root).as_posix(), path.lstat()
        if stat.S_ISDIR(status.st_mode):
            continue
        if not stat.S_ISREG(status.st_mode):
            raise BadTar(Message("build-left-link", {"name": repr(name)}))
        left_bytes -= status.st_size
        if left_bytes < 0:
            raise BadTar(Message("build-left-size", {"most": BYTES_MAX // 1024**2}))
        if len(files) == ENTRIES_MAX:
            raise BadTar(Message("build-left-files", {"most": ENTRIES_MAX}))
        files.append(ArchiveEntry(name, path.read_bytes(), bool(status.st_mode & stat.S_IXUSR)))
    return files
