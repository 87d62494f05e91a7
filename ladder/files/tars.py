"""Reading an uploaded tar, plain or compressed with gzip, without believing anything it says of itself.

By our own eyes, not by ``tarfile``: of a file of 200 bytes that makes gigabytes, or minutes of work (a pax header of
digits, CVE-2024-6232; one whose records overlap), and it ends without a word at a header that it cannot read. What is
taken is what common tools write: POSIX ustar and pax, GNU and V7. Nothing is ever written to a disk.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from common.errors import InputError
from ladder.files.archives import (
    ARCHIVE_LIMITS,
    ArchiveLimits,
    Entry,
    is_junk,
    link_refused,
    name_unreadable,
    sizes_check,
)

GZIP_MAGIC = b"\x1f\x8b"

_BLOCK = 512
_MAGIC_AT = 257
_MAGIC, _POSIX_MAGIC = b"ustar", b"ustar\0"
_FILE, _OLD_FILE, _FOLDER = b"0", b"\0", b"5"
_LONG_NAME, _PAX, _PAX_OF_ALL = b"L", b"x", b"g"
_NAMING = (_LONG_NAME, _PAX, _PAX_OF_ALL)
"""Blocks that tell more of the next entry. ``git archive`` writes one of all entries, with a commit's number."""
_NAMING_BYTES_MAX = 1024 * 1024
"""Of all such blocks together; macOS keeps there what it knows of a file."""


class _Member(NamedTuple):
    name: str
    content: bytes
    executable: bool
    is_folder: bool


def is_tar(data: bytes) -> bool:
    """Tell whether an upload is meant as a tar, packed or not, damaged or not."""
    return data.startswith(GZIP_MAGIC) or data[_MAGIC_AT:].startswith(_MAGIC)


def tar_entries(data: bytes, limits: ArchiveLimits = ARCHIVE_LIMITS) -> tuple[list[Entry], list[str]]:
    """Return all regular files of a tar, and the names of all its folders, without the junk of systems.

    A ``./`` at the beginning of a name is left out: that is how all names begin in ``tar -czf bot.tar.gz .``.

    Raises:
        InputError: the tar is damaged, packed in a strange way, or larger than the limits.
    """
    raw = _inflated(data, limits) if data.startswith(GZIP_MAGIC) else data
    members = [member for member in _members(raw) if not is_junk(member.name)]
    sizes_check([len(member.content) for member in members], len(data), limits)
    files = [Entry(member.name, member.content, member.executable) for member in members if not member.is_folder]
    return files, [member.name for member in members if member.is_folder]


def _inflated(data: bytes, limits: ArchiveLimits) -> bytes:
    """Return the tar in a gzip file. Never makes more than what the largest tar that we take may be."""
    # Each entry has a block of its own, one that names it, and fills up its last one.
    bytes_max = limits.total_mib * 1024**2 + limits.entries_max * 4 * _BLOCK + _NAMING_BYTES_MAX
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        raw = inflater.decompress(data, bytes_max + 1)
    except zlib.error as error:
        raise InputError(_damaged()) from error
    if len(raw) > bytes_max:
        raise InputError(
            _("The archive inflates to more than %(max)d MiB. Please leave out what your bot does not need.")
            % {"max": limits.total_mib}
        )
    if not inflater.eof or inflater.unused_data.strip(b"\0"):
        raise InputError(_damaged())
    return raw


def _members(raw: bytes) -> Iterator[_Member]:
    """Go from header to header, as far as a block of zeros."""
    at, naming_bytes = 0, 0
    told: dict[bytes, bytes] = {}
    while (header := raw[at : at + _BLOCK]).strip(b"\0"):
        size = _size(header)
        content = raw[at + _BLOCK : at + _BLOCK + size]
        if len(content) < size:
            raise InputError(_damaged())
        at += _BLOCK * (1 + -(-size // _BLOCK))
        kind = header[156:157]
        if kind not in _NAMING:
            yield _member(header, kind, content, told)
            told = {}
            continue
        naming_bytes += size
        if kind in told or naming_bytes > _NAMING_BYTES_MAX:
            raise InputError(_strange())
        told[kind] = content
    if told:
        raise InputError(_damaged())


def _size(header: bytes) -> int:
    """Return what a header that is whole says of the size: in octal, as all tools write sizes below 8 GiB."""
    if len(header) < _BLOCK or _octal(header[148:156]) != sum(header[:148]) + sum(b" " * 8) + sum(header[156:]):
        raise InputError(_damaged())
    return _octal(header[124:136])


def _octal(field: bytes) -> int:
    digits = field.rstrip(b" \0").lstrip(b" ")
    if not digits or digits.strip(b"01234567"):
        raise InputError(_damaged())
    return int(digits, 8)


def _member(header: bytes, kind: bytes, content: bytes, told: Mapping[bytes, bytes]) -> _Member:
    name = _name(header, told)
    is_folder = kind == _FOLDER or (kind == _OLD_FILE and name.endswith("/"))
    if not is_folder and kind not in (_FILE, _OLD_FILE):
        raise InputError(link_refused(name))
    if is_folder and content:
        raise InputError(_damaged())
    name = f"{name.rstrip('/')}/" if is_folder else name
    name = name if name == "./" else name.removeprefix("./")
    return _Member(name, content, bool(_octal(header[100:108]) & 0o111), is_folder)


def _name(header: bytes, told: Mapping[bytes, bytes]) -> str:
    """Return what an entry is called: by the block before it, or by its own header."""
    pax = _records(told.get(_PAX, b""))
    _records(told.get(_PAX_OF_ALL, b""))  # of it nothing counts, but it must be one
    if _PAX in told and _LONG_NAME in told:
        raise InputError(_strange())
    name = pax.get(b"path") or _text(told.get(_LONG_NAME, b"")) or _own_name(header)
    try:
        return name.decode()
    except UnicodeDecodeError as error:
        raise InputError(name_unreadable(name)) from error


def _own_name(header: bytes) -> bytes:
    name = _text(header[:100])
    prefix = _text(header[345:500]) if header[_MAGIC_AT:].startswith(_POSIX_MAGIC) else b""
    return prefix + b"/" + name if prefix else name


def _records(content: bytes) -> dict[bytes, bytes]:
    """Return the records of a pax header, ``length key=value`` and a line break each (POSIX.1-2017, pax, 4.17.3)."""
    records, at = {}, 0
    while at < len(content):
        digits = content[at : at + 8].partition(b" ")[0]
        length = int(digits) if digits.isdigit() else 0
        record = content[at + len(digits) + 1 : at + length]
        key, equals, value = record[:-1].partition(b"=")
        if at + length > len(content) or not record.endswith(b"\n") or not equals:
            raise InputError(_damaged())
        # A file that is not as large as its header tells, or has holes, is another one for each reader.
        if key == b"size" or key.startswith(b"GNU.sparse."):
            raise InputError(_strange())
        records[key] = value
        at += length
    return records


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _damaged() -> str:
    return _("This tar file is damaged. Please pack it again.")


def _strange() -> str:
    return _("The archive is packed in a strange way. Please pack it as a plain tar, or as a zip.")
