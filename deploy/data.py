"""The DATA folder: locks it for one arena, checks the free disk space, and stores the secrets."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.settings import CannotStart

FREE_MIB_MIN = 200
"""With less free disk space the arena does not start, since matches are lost when files cannot be written."""


@contextmanager
def data_locked(data: Path) -> Iterator[None]:
    """Create the folder if it is missing, and lock it for this process until the block ends.

    Raises:
        CannotStart: the folder cannot be written, its disk is full, or another arena has locked it.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The kernel releases the lock of a killed arena with its open file, so that no old file can block a start.
        lock = os.open(data / "arena.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotStart(f"{data} cannot be written ({error.strerror}); choose another folder with DATA=.") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(lock, 20).decode().strip()
            raise CannotStart(
                f"An arena (process {holder}) already runs on {data}; end it, or choose another folder with DATA=."
            ) from None
        try:
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
        except OSError as error:
            raise CannotStart(f"{data} cannot be written ({error.strerror}); free some space there.") from error
        free_mib = shutil.disk_usage(data).free // 2**20
        if free_mib < FREE_MIB_MIN:
            raise CannotStart(
                f"Only {free_mib} MiB are free in {data}, and the arena needs {FREE_MIB_MIN} MiB to start; "
                "free some space, or choose another folder with DATA=."
            )
        yield
    finally:
        os.close(lock)


def secrets_load(data: Path) -> dict[str, str]:
    """Return the secrets of this arena by name; missing ones are generated, and all are stored in ``secret.env``.

    SECRET_KEY is of the site, BROKER_PASSWORD of the broker's user ``site``, PLAYER_PASSWORD of ``player``.
    """
    path = data / "secret.env"
    known = dict(line.split("=", 1) for line in path.read_text().splitlines()) if path.exists() else {}
    names = ("SECRET_KEY", "BROKER_PASSWORD", "PLAYER_PASSWORD")
    new = {name: secrets.token_urlsafe(48) for name in names if name not in known}
    return secrets_keep(data, {**known, **new})


def secrets_keep(data: Path, values: dict[str, str]) -> dict[str, str]:
    """Write ``values`` to ``secret.env``, which only its owner can read, and return them.

    A crash leaves the old file or the new one.
    """
    draft = data / "secret.env.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())
    draft.replace(data / "secret.env")
    return values
