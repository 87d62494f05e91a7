"""``python -m deploy.backup DATA FILE``: packs an arena of one machine into a tar, while it runs.

First the database, in one consistent state, then the files: nothing is ever stored after the row that names it, and
none is changed, so whatever the packed rows name is packed too. The broker is left out: it is a doorbell, and whatever
waits is rung for again. ``tar -xf FILE -C DATA`` into an empty folder brings it back.
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
FILES = ("secret.env", "artifacts", "replays", "files")
INCOMING = ".incoming-"
"""Of the names of files that are just being stored (``jobs.files.storage``)."""


def backup(data: Path, file: Path) -> None:
    """Pack the data of an arena.

    Args:
        data: its folder.
        file: readable by its owner only, since the arena's secrets are in it; appears whole or not at all.

    Raises:
        OSError: something cannot be read or written.
        sqlite3.Error: the database cannot be read.
    """
    there = file.parent.resolve(strict=True)  # its error names the folder, not our draft in it
    with tempfile.TemporaryDirectory(dir=there, prefix=".backup-") as folder:
        draft, copy = Path(folder, "tar"), Path(folder, DATABASE)
        database_copy(data / DATABASE, copy)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as output, tarfile.open(fileobj=output, mode="w") as tar:
            tar.add(copy, DATABASE)
            for name in FILES:
                if (data / name).exists():
                    tar.add(data / name, name, filter=_stored)
        draft.replace(file)


def database_copy(database: Path, copy: Path) -> None:
    """Copy an SQLite database in one consistent state while others write to it."""
    # A missing database must not become an empty one: open it read-only.
    address = f"{database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _stored(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if Path(member.name).name.startswith(INCOMING) else member


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Give the arena's folder and the file to make: python -m deploy.backup data arena.tar")
    try:
        backup(Path(sys.argv[1]), Path(sys.argv[2]))
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"No backup was made of {sys.argv[1]}: {error}.")
