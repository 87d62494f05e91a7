"""Makes the folder of a program readable for the unprivileged user that runs it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sandbox.leftovers import temporary_folder

WALK_IN = 0o001
READ_AND_WALK_IN = 0o005

UMASK = 0o022
"""The umask of processes that create files for bots."""


def readable(root: Path, undo: ExitStack) -> Path:
    """Return a folder with the files of ``root`` that every user of this machine can read: ``root`` itself or a copy.

    Args:
        root: The folder; all users must have read permission for the files in it.
        undo: Removes the copy, if one is made.
    """
    root = root.resolve()
    # The folders above must be accessible too; /root, for example, is not.
    if _has(root, READ_AND_WALK_IN) and all(_has(folder, WALK_IN) for folder in root.parents):
        return root
    copy = temporary_folder(undo) / "bot"
    shutil.copytree(root, copy, symlinks=True)
    copy.chmod(0o755)
    return copy


@contextmanager
def open_to_bots() -> Iterator[None]:
    """Set the umask in the block so that bots, which run as unprivileged users, can read files created in it.

    Many guides to secure machines ask root for a umask of 077 or 027, with which they could not.
    """
    before = os.umask(UMASK)
    try:
        yield
    finally:
        os.umask(before)


def fill(folder: Path, root: Path) -> None:
    """Copy a program's folder ``root`` into the empty ``folder`` and let all users read ``folder``.

    Files become hard links where possible (on one file system), so that large files take no time.

    Raises:
        OSError: ``root`` does not exist, or the disk is full.
    """
    shutil.copytree(root, folder, symlinks=True, copy_function=_link, dirs_exist_ok=True)
    folder.chmod(0o755)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # the file is on another file system, or belongs to another user, and this process is not root
        shutil.copy(source, target)


def _has(folder: Path, bits: int) -> bool:
    return folder.stat().st_mode & bits == bits
