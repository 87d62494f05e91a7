"""Tars: the one strict reader and the one writer, for uploads, for what builds leave and for stored artifacts.

Both turn bytes into bytes and touch no file, so that the site, workers and the sandbox can share them.

The reader takes the fields of a header by Python's ``tarfile`` and goes from header to header by itself. The attack: of
5 MB of digits in a pax header ``tarfile`` of Python 3.11 makes minutes of work (CVE-2024-6232), of 64 KiB of records
that overlap a gigabyte, of a sparse file of a few bytes whatever size it names, and behind a broken header it ends
without a word. What is taken is what common tools write of files and folders: POSIX ustar and pax, GNU and V7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from tarfile import (
    AREGTYPE,
    BLOCKSIZE,
    GNUTYPE_LONGNAME,
    PAX_FORMAT,
    RECORDSIZE,
    REGTYPE,
    XGLTYPE,
    XHDTYPE,
    HeaderError,
    TarInfo,
)
from typing import NamedTuple

_NAMING_TYPES = (GNUTYPE_LONGNAME, XHDTYPE, XGLTYPE)
"""Blocks that name the next entry. ``git archive`` writes one for all entries, with the number of a commit."""
_NAMING_BYTES_MAX = 1024 * 1024
"""Of all such blocks together; macOS keeps there what it knows of a file."""
_SIZE = re.compile(rb" *[0-7]+[ \0]*")
_RECORD_LENGTH = re.compile(rb"([1-9][0-9]{0,6}) ")


class ArchiveEntry(NamedTuple):
    """A file or folder of an archive."""

    name: str
    """Path in the archive, not checked. Bytes that are no UTF-8 are surrogates, as ``os.fsdecode`` writes them."""
    data: bytes
    executable: bool = False
    is_folder: bool = False


class BadTar(ValueError):  # noqa: N818
    """A tar that is damaged, or holds what we do not take. Its text is a whole sentence."""

    def __init__(self, sentence: str = "The tar is damaged.") -> None:
        super().__init__(sentence)


class StrangeTar(BadTar):
    """A tar in which a file has two names or two sizes, so that two readers would see two files."""

    def __init__(self) -> None:
        super().__init__("The tar is packed in a strange way.")


class NoPlainFile(BadTar):
    """A tar that holds a link, a device or anything else that is neither a file nor a folder."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The tar holds {name!r}, which is no regular file or folder.")
        self.name = name


def tar_of(files: Iterable[ArchiveEntry]) -> bytes:
    """Pack regular files into a tar, sorted by name, without times or owners.

    The same files give the same bytes everywhere, so a tar is named by its SHA-256.
    """
    parts = []
    for file in sorted(files):
        member = TarInfo(file.name)
        member.size = len(file.data)
        member.mode = 0o755 if file.executable else 0o644
        parts += [member.tobuf(PAX_FORMAT), file.data, bytes(-len(file.data) % BLOCKSIZE)]
    size = sum(map(len, parts)) + 2 * BLOCKSIZE
    return b"".join([*parts, bytes(2 * BLOCKSIZE + -size % RECORDSIZE)])


def tar_entries(data: bytes) -> Iterator[ArchiveEntry]:
    """Return the files and folders of a tar, one after the other; a folder's name has no ``/`` at its end.

    No entry is larger than what has come of it. How many there are, how large they are together and where their names
    lead is not checked.

    Raises:
        BadTar: it is damaged, strange, or holds something else. What came before has been returned.
    """
    at, naming_bytes = 0, 0
    naming: dict[bytes, bytes] = {}
    while (header := data[at : at + BLOCKSIZE]).strip(b"\0"):
        try:
            member = TarInfo.frombuf(header, "utf-8", "surrogateescape")
        except HeaderError as error:
            raise BadTar() from error
        # The attack: a size below nothing leads back to where the reader has been, for ever (CVE-2025-8194).
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
    _pax_path(naming.get(XGLTYPE, b""))  # a name for all files counts for none, but the block must be whole
    long_name = _pax_path(naming.get(XHDTYPE, b"")) or naming.get(GNUTYPE_LONGNAME, b"").partition(b"\0")[0]
    name = long_name.decode("utf-8", "surrogateescape") or member.name
    is_folder = member.isdir()
    if not is_folder and member.type not in (REGTYPE, AREGTYPE):
        raise NoPlainFile(name)
    # The attack: some readers skip what a folder holds, and some take it for more entries.
    if "\0" in name or (is_folder and content):
        raise BadTar()
    return ArchiveEntry(name.rstrip("/") if is_folder else name, content, bool(member.mode & 0o111), is_folder)


def _pax_path(content: bytes) -> bytes:
    """Return the path in a pax header, of records ``length key=value`` and a line break each (POSIX.1-2017, pax)."""
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
