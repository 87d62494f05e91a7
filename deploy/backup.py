"""``python -m deploy.backup DATA FILE``: packs the data of an arena on one machine into a tar, while the arena runs.

The database is packed first, in one consistent state, and then the files. A file is always stored before the row that
names it and never changes, so all files of the packed rows are packed, too. The broker's data are left out: the broker
only notifies workers of jobs, and the site sends a notification again for every job that waits in the database.
``tar -xf FILE -C DATA`` into an empty folder restores the arena.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

DATABASE = "db.sqlite3"
FILES = ("secret.env", "artifacts", "replays", "boards", "downloads", "files")
INCOMING = ".incoming-"
"""Prefix of the names of files that are being stored (``jobs.files.storage``), which are not packed."""


def backup(data: Path, file: Path) -> None:
    """Pack the arena's folder ``data`` into the tar ``file``, which appears when it is complete.

    The tar holds the arena's secrets, so only its owner may read it.

    Raises:
        OSError: something cannot be read or written.
        sqlite3.Error: the database cannot be read.
    """
    there = file.parent.resolve(strict=True)  # the error of a missing folder names the folder
    with tempfile.TemporaryDirectory(dir=there, prefix=".backup-") as folder:
        draft, copy = Path(folder, "tar"), Path(folder, DATABASE)
        # Opened read-only, since otherwise SQLite would create a missing database.
        uri = f"{(data / DATABASE).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as output, tarfile.open(fileobj=output, mode="w") as tar:
            tar.add(copy, DATABASE)
            for name in FILES:
                if (data / name).exists():
                    tar.add(data / name, name, filter=lambda member: None if INCOMING in member.name else member)
        draft.replace(file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Give the arena's folder and the file to make: python -m deploy.backup data arena.tar")
    try:
        backup(Path(sys.argv[1]), Path(sys.argv[2]))
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"No backup was made of {sys.argv[1]}: {error}.")
