"""The DATA folder: one arena at a time, room enough, and secrets that only its owner can read."""

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
"""Below this the arena does not start: a database, a broker's log and replays that cannot be written lose matches."""


@contextmanager
def data_locked(data: Path) -> Iterator[None]:
    """Make the folder if need be, and hold it for this process until the block ends.

    Raises:
        CannotStart: it cannot be written, is full, or another arena runs on it.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Held by the open file: the lock of a killed arena is gone with its processes, no stale file can block.
        lock = os.open(data / "arena.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotStart(f"{data} cannot be written ({error.strerror}); choose another folder with DATA=.") from error
    try:
        lock_take(lock, data)
        free_check(data)
        yield
    finally:
        os.close(lock)


def lock_take(lock: int, data: Path) -> None:
    """Take the lock, or say who has it."""
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


def free_check(data: Path) -> None:
    """Refuse a disk that is full or nearly so."""
    free_mib = shutil.disk_usage(data).free // 2**20
    if free_mib < FREE_MIB_MIN:
        raise CannotStart(
            f"Only {free_mib} MiB are free in {data}, and the arena needs {FREE_MIB_MIN} MiB to start; "
            "free some space, or choose another folder with DATA=."
        )


def secrets_load(data: Path) -> dict[str, str]:
    """Return the secrets of this arena; those that are missing are made up and kept in ``secret.env``.

    Returns:
        SECRET_KEY of the site, BROKER_PASSWORD of the trusted side, PLAYER_PASSWORD of the playing workers.
    """
    path = data / "secret.env"
    known = dict(line.split("=", 1) for line in path.read_text().splitlines()) if path.exists() else {}
    names = ("SECRET_KEY", "BROKER_PASSWORD", "PLAYER_PASSWORD")
    new = {name: secrets.token_urlsafe(48) for name in names if name not in known}
    return secrets_keep(data, {**known, **new})


def secrets_keep(data: Path, values: dict[str, str]) -> dict[str, str]:
    """Write ``secret.env`` in one step, readable by its owner only: a crash leaves the old file or the new one."""
    draft = data / "secret.env.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())
    draft.replace(data / "secret.env")
    return values
