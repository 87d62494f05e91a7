"""Small file systems for tests of full disks."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, *options: str) -> Iterator[None]:
    """Mount a file system of 80 MiB on a folder for the time of the block.

    Args:
        folder: created if it is missing.
        options: mount options of the tmpfs, besides its size.
    """
    if os.geteuid():
        pytest.skip("needs root: it mounts a small file system")
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(("size=80m", *options)), "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def refusing_disk(folder: Path, how: str) -> Iterator[None]:
    """Mount a disk with 80 free MiB and the folders of the stores, on which no file can be created.

    Args:
        folder: the mount point.
        how: ``no inodes``, ``few inodes`` or ``read-only``.
    """
    inodes = {"no inodes": 3, "few inodes": 900, "read-only": 0}[how]
    with small_disk(folder, f"nr_inodes={inodes}"):
        for name in ("artifacts", "replays"):
            (folder / name).mkdir()
        if how == "read-only":
            subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        yield
