"""What workers do with tars: unpack those of the store, and read the folder of a build to pack it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from sandbox.tars import BYTES_MAX, ENTRIES_MAX, BadTar, unpack
from wire.packing import PackedFile

UNPACKED_BYTES_MAX = BYTES_MAX
FILES_MAX = ENTRIES_MAX


def tar_unpack(tar_path: Path, root: Path) -> None:
    """Unpack a tar of the store into a new folder.

    Raises:
        BadTar: something else than regular files inside, or too much.
    """
    root.mkdir(mode=0o755)
    with tar_path.open("rb") as archive:
        unpack(archive, root)


def folder_files(root: Path) -> Iterator[PackedFile]:
    """Read all files of a folder that an untrusted build has written.

    No link is ever followed: a build that leaves a link to ``/etc/shadow`` would otherwise publish what the worker may
    read. FIFOs and devices are opened without waiting for them and refused.

    Raises:
        BadTar: something else than files and folders inside, or too much.
    """
    left_bytes, count = UNPACKED_BYTES_MAX, 0
    for folder, folders, names, descriptor in os.fwalk(root):
        for name in names + [name for name in folders if _is_link(name, descriptor)]:
            file = _read(Path(folder, name).relative_to(root), name, descriptor, left_bytes)
            left_bytes -= len(file.data)
            count += 1
            if count > FILES_MAX:
                raise BadTar(f"The build has made more than {FILES_MAX} files.")
            yield file


def _is_link(name: str, folder: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _read(path: Path, name: str, folder: int, bytes_max: int) -> PackedFile:
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
        raise BadTar(f"The build has made more than {UNPACKED_BYTES_MAX // 1024**2} MiB.")
    return PackedFile(path.as_posix(), data, bool(mode & stat.S_IXUSR))
