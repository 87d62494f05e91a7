"""A strict reader and a writer of tar archives, for uploads, for the output of builds and for stored artifacts.

Both work on bytes and touch no file, so that the site, workers and the sandbox can share them.

The reader parses the fields of a header with Python's ``tarfile``, but finds the headers by itself. The attack: in
Python 3.11, ``tarfile`` spends minutes on 5 MB of digits in a pax header (CVE-2024-6232), expands 64 KiB of overlapping
records to a gigabyte, gives a sparse file of a few bytes any size that it declares, and silently stops at a broken
header. The reader accepts the files and folders that common tools write: POSIX ustar and pax, GNU and V7.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterable, Iterator
from tarfile import BLOCKSIZE, GNUTYPE_LONGNAME, XGLTYPE, XHDTYPE, TarInfo
from typing import NamedTuple

from core.message import Message

_NAMING_TYPES = (GNUTYPE_LONGNAME, XHDTYPE, XGLTYPE)
"""Types of blocks with the name of the next entry. ``git archive`` writes a global one with the hash of the commit."""
_NAMING_BYTES_MAX = 1024 * 1024
"""Size limit of all such blocks together; macOS stores metadata of files in them."""
_SIZE = re.compile(rb" *[0-7]+[ \0]*")
_RECORD_LENGTH = re.compile(rb"([1-9][0-9]{0,6}) ")


class ArchiveEntry(NamedTuple):
    """A file or folder of an archive."""

    name: str
    """Path in the archive, not checked. Bytes that are not UTF-8 become surrogates, as by ``os.fsdecode``."""
    data: bytes
    executable: bool = False
    is_folder: bool = False


class BadTar(ValueError):  # noqa: N818
    """The tar is damaged, or contains something that the reader does not accept."""

    def __init__(self, why: Message = Message("tar-damaged")) -> None:  # noqa: B008 - it never changes
        super().__init__(str(why))
        self.why = why


class StrangeTar(BadTar):
    """A file in the tar has two names or two sizes, so that different readers would see different files."""

    def __init__(self) -> None:
        super().__init__(Message("tar-strange"))


class NoPlainFile(BadTar):
    """The tar contains a link, a device or anything else that is neither a file nor a folder."""

    def __init__(self, name: str) -> None:
        super().__init__(Message("tar-link", {"name": repr(name)}))
        self.name = name


def tar_of(files: Iterable[ArchiveEntry]) -> bytes:
    """Return a tar of regular files, sorted by name, without times or owners.

    Equal files give equal bytes on every machine, so that a tar can be identified by its SHA-256.
    """
    return b"".join(tar_chunks(sorted(files)))


def tar_chunks(files: Iterable[ArchiveEntry]) -> Iterator[bytes]:
    """Yield the bytes of a tar of regular files in their given order, one file after the other."""
    size = 0
    for file in files:
        member = TarInfo(file.name)
        member.size = len(file.data)
        member.mode = 0o755 if file.executable else 0o644
        chunk = member.tobuf(tarfile.PAX_FORMAT) + file.data + bytes(-len(file.data) % BLOCKSIZE)
        size += len(chunk)
        yield chunk
    size += 2 * BLOCKSIZE
    yield bytes(2 * BLOCKSIZE + -size % tarfile.RECORDSIZE)


def tar_entries(data: bytes) -> Iterator[ArchiveEntry]:
    """Yield the files and folders of a tar in order; names of folders do not end in ``/``.

    The size of an entry is that of its content in ``data``. Callers check how many entries there are, how large they
    are together, and where their names lead.

    Raises:
        BadTar: the tar is damaged or not accepted; raised after the entries before that place have been yielded.
    """
    at, naming_bytes = 0, 0
    naming: dict[bytes, bytes] = {}
    while (header := data[at : at + BLOCKSIZE]).strip(b"\0"):
        try:
            member = TarInfo.frombuf(header, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise BadTar() from error
        # The attack: a negative size leads back to a header that was read already, in an endless loop (CVE-2025-8194).
        if not _SIZE.fullmatch(header[124:136]):
            raise BadTar()
        content = data[at + BLOCKSIZE : at + BLOCKSIZE + member.size]
        if len(content) < member.size:
            raise BadTar()
        at += BLOCKSIZE * (1 + -(-member.size // BLOCKSIZE))
        if member.type not in _NAMING_TYPES:
            yield _entry(member, content, naming)
            naming = {}
            continue
        naming_bytes += member.size
        if member.type in naming or naming_bytes > _NAMING_BYTES_MAX:
            raise StrangeTar()
        naming[member.type] = content
    if naming or len(header) < BLOCKSIZE:
        raise BadTar()


def _entry(member: TarInfo, content: bytes, naming: dict[bytes, bytes]) -> ArchiveEntry:
    if XHDTYPE in naming and GNUTYPE_LONGNAME in naming:
        raise StrangeTar()
    _pax_path(naming.get(XGLTYPE, b""))  # the path in a global header is ignored, but the header must be valid
    long_name = _pax_path(naming.get(XHDTYPE, b"")) or naming.get(GNUTYPE_LONGNAME, b"").partition(b"\0")[0]
    name = long_name.decode("utf-8", "surrogateescape") or member.name
    is_folder = member.isdir()
    if not is_folder and member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
        raise NoPlainFile(name)
    # The attack: a folder with content; some readers skip the content, others read it as further entries.
    if "\0" in name or (is_folder and content):
        raise BadTar()
    return ArchiveEntry(name.rstrip("/") if is_folder else name, content, bool(member.mode & 0o111), is_folder)


def _pax_path(content: bytes) -> bytes:
    """Return the path in a pax header, "" if it has none.

    A pax header consists of records ``length key=value``, each ended by a line feed (POSIX.1-2017, pax).

    Raises:
        BadTar: a record is damaged.
        StrangeTar: the header gives a file another size than the tar does.
    """
    path, at = b"", 0
    while at < len(content):
        length = _RECORD_LENGTH.match(content, at)
        end = at + int(length[1]) if length else at
        record = content[length.end() : end] if length else b""
        key, equals, value = record[:-1].partition(b"=")
        if not equals or not record.endswith(b"\n") or end > len(content):
            raise BadTar()
        if key == b"size" or key.startswith(b"GNU.sparse."):
            raise StrangeTar()
        path = value if key == b"path" else path
        at = end
    return path
