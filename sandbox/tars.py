"""What a build step has left: its tar written to a folder, and a folder read to make a tar of it.

The attack: a build writes to the stream itself that its tar should come by (with Docker it can open it), or an invited
host stores a tar of its own as what it has built, and other workers fetch it. So a path has a greatest length (nobody
can remove 1,800 folders in each other), and bytes and entries are counted while they are written.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from core.tars import ArchiveEntry, BadTar, tar_entries

NAME_BYTES_MAX = 255
"""Of a whole path, so that no folder is deeper than who walks through it, or removes it, can follow."""
ENTRIES_MAX = 2_000
BYTES_MAX = 64 * 1024 * 1024
"""Of all files together."""


def unpack(tar: bytes, root: Path) -> None:
    """Write all files and folders of a tar to a folder that nobody else writes to; make it if it is not there.

    No link is ever made here, so none can lead a later file out of the folder.

    Raises:
        BadTar: it is damaged, or holds something else, or too much. What came before is written.
        OSError: it cannot be written.
    """
    root.mkdir(mode=0o755, exist_ok=True)
    left_bytes = BYTES_MAX
    for count, entry in enumerate(tar_entries(tar)):
        left_bytes -= len(entry.data)
        path = PurePosixPath(entry.name)
        if count == ENTRIES_MAX:
            raise BadTar(f"The tar holds more than {ENTRIES_MAX} files and folders.")
        if left_bytes < 0:
            raise BadTar(f"The tar holds more than {BYTES_MAX // 1024**2} MiB.")
        if len(os.fsencode(path)) > NAME_BYTES_MAX:
            raise BadTar(f"The tar holds {entry.name[:40]!r}..., which is longer than {NAME_BYTES_MAX} bytes.")
        if path.is_absolute() or ".." in path.parts:
            raise BadTar(f"The tar holds {entry.name!r}, which leads out of its folder.")
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
        raise BadTar(f"The tar holds {entry.name!r} as a file and as a folder.") from error


def folder_files(root: Path) -> Iterator[ArchiveEntry]:
    """Read all files of a folder that an untrusted build has written.

    No link is ever followed: a build that leaves a link to ``/etc/shadow`` would otherwise publish what the worker may
    read. FIFOs and devices are opened without waiting for them and refused.

    Raises:
        BadTar: something else than files and folders inside, or too much.
    """
    left_bytes, count = BYTES_MAX, 0
    for folder, folders, names, descriptor in os.fwalk(root):
        for name in names + [name for name in folders if _is_link(name, descriptor)]:
            file = _read(Path(folder, name).relative_to(root), name, descriptor, left_bytes)
            left_bytes -= len(file.data)
            count += 1
            if count > ENTRIES_MAX:
                raise BadTar(f"The build has made more than {ENTRIES_MAX} files.")
            yield file


def _is_link(name: str, folder: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _read(path: Path, name: str, folder: int, bytes_max: int) -> ArchiveEntry:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise BadTar(f"The build has made {str(path)!r}, which is a link or no regular file.") from error
        raise
    with open(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise BadTar(f"The build has made {str(path)!r}, which is no regular file.")
        data = file.read(bytes_max + 1)
    if len(data) > bytes_max:
        raise BadTar(f"The build has made more than {BYTES_MAX // 1024**2} MiB.")
    return ArchiveEntry(path.as_posix(), data, bool(mode & stat.S_IXUSR))
