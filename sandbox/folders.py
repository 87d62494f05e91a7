"""The program's folder, as a stranger to this machine sees it, and put into a box that stands already."""

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
"""Of whoever makes what bots read."""


def readable(root: Path, undo: ExitStack) -> Path:
    """Return the folder, or a copy of it where a user without any right on this machine can read it.

    Args:
        root: The folder; what is in it must be readable by all.
        undo: Takes the copy away.
    """
    root = root.resolve()
    # The folders above must be open too: /root, for one, is closed to all others.
    if _has(root, READ_AND_WALK_IN) and all(_has(folder, WALK_IN) for folder in root.parents):
        return root
    copy = temporary_folder(undo) / "bot"
    shutil.copytree(root, copy, symlinks=True)
    copy.chmod(0o755)
    return copy


@contextmanager
def open_to_bots() -> Iterator[None]:
    """Let users without any right read what this process makes in the block, however strict its umask is.

    Bots run as such users, and a umask of 077 or 027 is what many guides to safe machines ask of root.
    """
    before = os.umask(UMASK)
    try:
        yield
    finally:
        os.umask(before)


def fill(folder: Path, root: Path) -> None:
    """Put what is in a program's folder into an empty one, which becomes readable by all: its files must be.

    Files are linked, not copied, so that their size is no matter; both must be on one file system for that.

    Raises:
        OSError: the folder is not there, or the disk is full.
    """
    shutil.copytree(root, folder, symlinks=True, copy_function=_link, dirs_exist_ok=True)
    folder.chmod(0o755)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another file system, or not ours, which the kernel lets only root link
        shutil.copy(source, target)


def _has(folder: Path, bits: int) -> bool:
    return folder.stat().st_mode & bits == bits
