"""The stores of artifacts and replays: files that are named by the SHA-256 of their content."""

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
"""The store of checked uploads and built programs, as canonical tars."""
REPLAYS: Literal["replays"] = "replays"
BOARDS: Literal["boards"] = "boards"
"""The store of signed final boards, which stay for ever, and for which no host gets a URL.

The attack: a host reports that a board is the replay of a check match, so that it is deleted with that match."""
DOWNLOADS: Literal["downloads"] = "downloads"
"""The store of the files of each day's results and replays, for which no host gets a URL either."""
StoreName = Literal["artifacts", "replays", "boards", "downloads"]

DISK_SPACE_MIB_MIN = 64
"""With less disk space free no work is handed out: one replay or bot may take as much."""

FILES_MIN = 1_000
"""With fewer inodes free no work is handed out: the replays of running matches need some."""

_MEMORY_BYTES = 1024 * 1024
_PROBE, _PROBE_BYTES = "probe", 4096


log = structlog.get_logger()


class TooLarge(Exception):  # noqa: N818
    """A file is larger than allowed; reading has stopped at the limit."""


class Damaged(Exception):  # noqa: N818
    """The content of a stored file does not have the SHA-256 that is its name."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in the store."""

    digest: str
    """SHA-256 of its bytes, which is also its name."""
    size_bytes: int


def file_store(
    *, store: StoreName, chunks: Iterable[bytes], max_bytes: int, admit: Callable[[str], None] | None = None
) -> StoredFile:
    """Store a file under the SHA-256 of its content. Storing the same content again changes nothing.

    ``admit`` is called with the SHA-256 before the file is stored; if it raises, nothing is stored.

    Raises:
        TooLarge: ``chunks`` hold more than ``max_bytes``; nothing is stored.
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
    return StoredFile(digest, size_bytes)


def file_read(*, store: StoreName, digest: str) -> bytes:
    """Return the content of the stored file with this SHA-256.

    Raises:
        FileNotFoundError: the store has no such file.
        Damaged: the file's content has another SHA-256.
        OSError: the store cannot be read just now.
    """
    with storages[store].open(digest) as file:
        data = bytes(file.read())
    if hashlib.sha256(data).hexdigest() != digest:
        log.error("store_file_changed", store=store, digest=digest)
        raise Damaged
    return data


def stores_probe() -> None:
    """Test whether bots and replays can be stored, by writing files that are deleted at once.

    The folder of temporary files is tested, too: every large file goes through it.

    Raises:
        OSError: a folder cannot be made or written, the disk is full, or the bucket refuses the file.
    """
    try:
        with tempfile.TemporaryFile() as probe:
            probe.write(bytes(_PROBE_BYTES))
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror}, in the folder of temporary files (TMPDIR)") from error
    for store in (ARTIFACTS, REPLAYS):
        _probe(storages[store])


def _probe(storage: Storage) -> None:
    """Write a small file into a store, and delete it."""
    if isinstance(storage, FileSystemStorage):
        folder = Path(storage.location)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_PROBE_BYTES))
    else:
        storage.save(_PROBE, ContentFile(bytes(_PROBE_BYTES)))
        storage.delete(_PROBE)


def stores_full() -> str:
    """Return what the disks of the stores lack for files to come, disk space or inodes; empty: nothing."""
    if stores_free_bytes() < DISK_SPACE_MIB_MIN * 2**20:
        return f"less than {DISK_SPACE_MIB_MIN} MiB are free, no work is handed out"
    if stores_free_files() < FILES_MIN:
        return f"fewer than {FILES_MIN} more files can be made (inodes: `df -i`), no work is handed out"
    return ""


def stores_problem() -> str:
    """Return why the stores cannot be used; empty if they can. Called often, so it must be cheap."""
    try:
        for store in (ARTIFACTS, REPLAYS):
            storage: Any = storages[store]
            storage.check_usable()
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def stores_free_bytes() -> float:
    """Return the free bytes of the stores' fullest disk; infinity if no store is on a disk."""
    return min((disk.f_bavail * disk.f_frsize for disk in _disks()), default=math.inf)


def stores_free_files() -> float:
    """Return the free inodes of the stores' disk that has fewest; infinity if no disk counts inodes."""
    return min((disk.f_favail for disk in _disks() if disk.f_files), default=math.inf)


def _disks() -> list[os.statvfs_result]:
    stores = (storages[store] for store in (ARTIFACTS, REPLAYS))
    folders = [Path(store.location) for store in stores if isinstance(store, FileSystemStorage)]
    return [os.statvfs(folder) for folder in folders if folder.exists()]


class ContentStorage(FileSystemStorage):
    """A storage in a folder, in which a file appears whole or not at all, even if a write is interrupted."""

    def check_usable(self) -> None:
        """Test by writing a file: with disk space free, inodes, quota or the right to write may still be missing.

        Raises:
            OSError: no file can be stored.
        """
        _probe(self)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Return the name unchanged: another file of this name has the same content."""
        return name

    def _save(self, name: str, content: File[Any]) -> str:
        target = Path(self.path(name))
        if target.exists():
            return name
        target.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder, which is on the same file system, so that the link below is atomic.
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".incoming-") as incoming:
            for chunk in content.chunks():
                incoming.write(chunk)
            incoming.flush()
            os.fsync(incoming.fileno())
            os.chmod(incoming.name, 0o644)
            with suppress(FileExistsError):
                os.link(incoming.name, target)
        return name
