"""The program's folder, as a stranger to this machine sees it."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path

from sandbox.leftovers import temporary_folder

WALK_IN = 0o001
READ_AND_WALK_IN = 0o005


def readable(root: Path, undo: ExitStack, *, parents: bool) -> Path:
    """Return the folder, or a copy of it where a user without any right on this machine can read it.

    Args:
        root: The folder; what is in it must be readable by all.
        undo: Takes the copy away.
        parents: Whether the folders above must be open too: /root, for one, is closed to all others.
    """
    root = root.resolve()
    above = root.parents if parents else ()
    if _has(root, READ_AND_WALK_IN) and all(_has(folder, WALK_IN) for folder in above):
        return root
    copy = temporary_folder(undo) / "bot"
    shutil.copytree(root, copy, symlinks=True)
    copy.chmod(0o755)
    return copy


def _has(folder: Path, bits: int) -> bool:
    return folder.stat().st_mode & bits == bits
