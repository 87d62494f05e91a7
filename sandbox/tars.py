"""Taking a file or folder out of a tar that somebody untrusted may have made."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path, PurePosixPath


def extract(tar: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    """Write one regular file or folder of a tar below a folder that nobody else writes to.

    ``tar.extract(.., filter="data")`` would do, but Debian 12's Python 3.11.2 does not know it yet. No link is ever
    made here, so none can lead a later file out of the folder.

    Raises:
        ValueError: its name leads out of the folder, or it is neither.
        OSError: it cannot be written, for instance because a file stands where a folder should.
    """
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"The tar holds {member.name!r}, which leads out of its folder.")
    target = root / path
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    source = tar.extractfile(member) if member.isreg() else None
    if source is None:
        raise ValueError(f"The tar holds {member.name!r}, which is no regular file.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("wb") as file:
        shutil.copyfileobj(source, file)
    target.chmod(0o755 if member.mode & 0o100 else 0o644)
