"""What workers do with tars: unpack those of the store, and read the folder of a build to pack it."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path

from sandbox.tars import leads_out
from workers.packing import PackedFile

UNPACKED_BYTES_MAX = 64 * 1024 * 1024
FILES_MAX = 2_000


class BadTar(ValueError):  # noqa: N818
    """A tar that we would not have made, or a folder that we do not make one of. Its text is a whole sentence."""


def tar_unpack(tar_path: Path, root: Path) -> None:
    """Unpack a tar into a new folder.

    Raises:
        BadTar: something else than regular files inside, or too much.
    """
    with tarfile.open(tar_path, mode="r:") as tar:
        members = tar.getmembers()
        if len(members) > FILES_MAX or sum(member.size for member in members) > UNPACKED_BYTES_MAX:
            raise BadTar("The tar is larger than any that we make.")
        for member in members:
            if not member.isreg():
                raise BadTar(f"The tar holds {member.name!r}, which is no regular file.")
        root.mkdir(mode=0o755)
        # We make these tars ourselves; the checks stand against a store that somebody else has written to.
        for member in members:
            _extract(tar, member, root)


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    # tar.extract(.., filter="data") would do, but Debian 12's Python 3.11.2 does not know it yet.
    if leads_out(member.name):
        raise BadTar(f"The tar holds {member.name!r}, which leads out of its folder.")
    source, target = tar.extractfile(member), root / member.name
    if source is None:
        raise BadTar(f"The tar holds {member.name!r}, which is no regular file.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("wb") as file:
        shutil.copyfileobj(source, file)
    target.chmod(0o755 if member.mode & stat.S_IXUSR else 0o644)


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
