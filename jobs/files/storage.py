"""Where artifacts and replays lie: files named by the SHA-256 of what is in them."""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import structlog
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

ARTIFACTS: Literal["artifacts"] = "artifacts"
"""Checked uploads and what was built of them, canonical tars."""
REPLAYS: Literal["replays"] = "replays"
StoreName = Literal["artifacts", "replays"]

ROOM_MIB_MIN = 64
"""With less of the disk free a replay or a bot, which may be so large, could not be stored."""

FILES_MIN = 1_000
"""With fewer inodes free, what is being played could not be stored."""

_MEMORY_BYTES = 1024 * 1024
_PROBE, _PROBE_BYTES = "probe", 4096


log = structlog.get_logger()


class TooLarge(Exception):  # noqa: N818
    """More came than was allowed; reading has stopped at the limit."""


class Damaged(Exception):  # noqa: N818
    """A file is not what its name says it is."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in the store."""

    digest: str
    """SHA-256 of its bytes, which is also its name."""
    size_bytes: int


def file_store(
    *, store: StoreName, chunks: Iterable[bytes], max_bytes: int, admit: Callable[[str], None] | None = None
) -> Stored:
    """Store a file under the SHA-256 of what is in it. Storing the same again changes nothing.

    Args:
        store: where.
        chunks: its bytes.
        max_bytes: of all of them.
        admit: called with the SHA-256 before anything is stored; what it raises keeps that from being done.

    Raises:
        TooLarge: more than ``max_bytes`` came; nothing is stored.
    """
    sha256 = hashlib.sha256()
    size_bytes = 0
    with tempfile.SpooledTemporaryFile(_MEMORY_BYTES) as spool:
        for chunk in chunks:
            size_bytes += len(chunk)
            if size_bytes > max_bytes:
                raise TooLarge
            sha256.update(chunk)
            spool.write(chunk)
        digest = sha256.hexdigest()
        if admit:
            admit(digest)
        storages[store].save(digest, File(spool, name=digest))
    return Stored(digest, size_bytes)


def file_read(*, store: StoreName, digest: str) -> bytes:
    """Return a stored file.

    Args:
        store: where.
        digest: SHA-256 of its bytes.

    Raises:
        FileNotFoundError: it is not there.
        Damaged: something else is.
        OSError: nothing can be read just now.
    """
    with storages[store].open(digest) as file:
        data = bytes(file.read())
    if hashlib.sha256(data).hexdigest() != digest:
        log.error("store_file_changed", store=store, digest=digest)
        raise Damaged
    return data


def stores_try() -> None:
    """Try whether bots and replays can be stored: writes files that are gone at once.

    Raises:
        OSError: a folder cannot be made or written, the disk is full, or the bucket refuses it.
    """
    _try_temporary()
    for store in (ARTIFACTS, REPLAYS):
        _try(storages[store])


def _try_temporary() -> None:
    """Try the folder through which all that is large comes in."""
    try:
        with tempfile.TemporaryFile() as probe:
            probe.write(bytes(_PROBE_BYTES))
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror}, in the folder of temporary files (TMPDIR)") from error


def _try(storage: Storage) -> None:
    if isinstance(storage, FileSystemStorage):
        folder = Path(storage.location)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_PROBE_BYTES))
    else:
        storage.save(_PROBE, ContentFile(bytes(_PROBE_BYTES)))
        storage.delete(_PROBE)


def stores_full() -> str:
    """Say what is missing for what is to come to be stored; empty: nothing."""
    if stores_free_bytes() < ROOM_MIB_MIN * 2**20:
        return f"less than {ROOM_MIB_MIN} MiB are free, no work is handed out"
    if stores_free_files() < FILES_MIN:
        return f"fewer than {FILES_MIN} more files can be made (inodes: `df -i`), no work is handed out"
    return ""


def stores_problem() -> str:
    """Say why the stores cannot be reached; empty if they can. Asked often, so it costs little."""
    try:
        for store in (ARTIFACTS, REPLAYS):
            storage: Any = storages[store]
            storage.answers()
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def stores_free_bytes() -> float:
    """Return how much is free on the disk of the stores that has least; infinity where none is on a disk."""
    return min((disk.f_bavail * disk.f_frsize for disk in _disks()), default=math.inf)


def stores_free_files() -> float:
    """Return how many more files the disk of the stores can hold that has least; infinity where none counts them."""
    return min((disk.f_favail for disk in _disks() if disk.f_files), default=math.inf)


def _disks() -> list[os.statvfs_result]:
    stores = (storages[store] for store in (ARTIFACTS, REPLAYS))
    folders = [Path(store.location) for store in stores if isinstance(store, FileSystemStorage)]
    return [os.statvfs(folder) for folder in folders if folder.exists()]


class ContentStorage(FileSystemStorage):
    """A folder in which a file appears whole or not at all, whatever happens in between."""

    def answers(self) -> None:
        """Make sure that a file can be stored: bytes may be free, and yet no inode, no quota, or no right to write.

        Raises:
            OSError: none can.
        """
        _try(self)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Keep the name: another file of this name would have the same content."""
        return name

    def _save(self, name: str, content: File[Any]) -> str:
        target = Path(self.path(name))
        if target.exists():
            return name
        target.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder, so that it is the same file system and the link below is atomic.
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".incoming-") as incoming:
            for chunk in content.chunks():
                incoming.write(chunk)
            incoming.flush()
            os.fsync(incoming.fileno())
            os.chmod(incoming.name, 0o644)
            with suppress(FileExistsError):
                os.link(incoming.name, target)
        return name
