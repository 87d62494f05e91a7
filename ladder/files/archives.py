"""What an archive may hold, and reading an uploaded zip file without believing anything it says of itself.

``zipfile`` finds the entries; everything after that is checked here: where entries lie, how they are packed, and that
each inflates to exactly the size it declares. Nothing is ever written to a disk.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ladder.errors import InputError

_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
"""A local file header up to the name (PKWARE's APPNOTE.TXT, 4.3.7); its last two fields: lengths of name and extra."""
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
"""Encrypted, strongly encrypted, masked headers (APPNOTE.TXT, 4.4.4)."""
_DIRECTORY_BYTES_MAX = 256 * 1024
"""Of the list at an archive's end: five times what 500 entries of ordinary tools take."""
_DAMAGED = (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OverflowError, struct.error)
"""What ``zipfile`` raises on a damaged directory."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file of an archive."""

    name: str
    """Exactly as stored."""
    data: bytes
    executable: bool


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may hold."""

    entries_max: int = 500
    total_mib: int = 20
    """All files together, inflated."""
    ratio_max: int = 100
    """Inflated bytes to packed bytes, once ``ratio_from_bytes`` are passed."""
    ratio_from_bytes: int = 1024 * 1024


ARCHIVE_LIMITS = ArchiveLimits()


def zip_entries(data: bytes, limits: ArchiveLimits = ARCHIVE_LIMITS) -> tuple[list[Entry], list[str]]:
    """Return all regular files of a zip file, and the names of all its folders.

    Raises:
        InputError: the archive is damaged, packed in a strange way, or larger than the limits.
    """
    try:
        with zipfile.ZipFile(_Directory(data)) as archive:
            infos = archive.infolist()
            directory_start = archive.start_dir
    except InputError:  # which is a ValueError, too
        raise
    except _DAMAGED as error:
        raise InputError(_("This zip file is damaged. Please pack it again.")) from error
    sizes_check([info.file_size for info in infos], len(data), limits)
    for info in infos:
        _check_kind(info)
    bodies = _bodies(data, infos, directory_start)
    files = [
        Entry(info.orig_filename, _inflate(info, body), bool(info.external_attr >> 16 & 0o111))
        for info, body in zip(infos, bodies, strict=True)
        if not _is_folder(info)
    ]
    return files, [info.orig_filename for info in infos if _is_folder(info)]


class _Directory(io.BytesIO):
    """An archive of which ``zipfile`` reads its directory, and nothing else.

    The attack it stops: of a directory of 5 MiB, with 100,000 entries or with extra fields that hold nothing,
    ``zipfile`` makes entries for seconds before anybody can count them.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        """Return bytes.

        Raises:
            InputError: these are more than any archive's directory that we would take.
        """
        content = super().read(size)
        if len(content) > _DIRECTORY_BYTES_MAX:
            raise InputError(_("The archive holds far too many entries. Please leave out what is not needed."))
        return content


def _is_folder(info: zipfile.ZipInfo) -> bool:
    """Tell by the name as stored; ``zipfile`` looks at one cut at a NUL, and fails on one without any letter."""
    return info.orig_filename.endswith("/")


def sizes_check(sizes: Sequence[int], packed: int, limits: ArchiveLimits) -> None:
    """Refuse too many entries, and bombs by what they declare; whoever inflates them makes that binding.

    Args:
        sizes: bytes of each entry.
        packed: bytes of the whole archive.
        limits: what it may hold.

    Raises:
        InputError: it holds more.
    """
    if len(sizes) > limits.entries_max:
        raise InputError(
            _("The archive holds %(count)d entries; at most %(max)d are allowed. Please leave out what is not needed.")
            % {"count": len(sizes), "max": limits.entries_max}
        )
    total = sum(sizes)
    if total > limits.total_mib * 1024**2:
        raise InputError(
            _("The files of the archive are %(size).1f MiB large together; at most %(max)d MiB are allowed.")
            % {"size": total / 1024**2, "max": limits.total_mib}
        )
    if total > limits.ratio_from_bytes and total > limits.ratio_max * packed:
        raise InputError(
            _("The archive inflates to more than %(ratio)d times its size. Please make large tables in your program.")
            % {"ratio": limits.ratio_max}
        )


def _check_kind(info: zipfile.ZipInfo) -> None:
    """Refuse what is no plain file or folder. A symbolic link would let a bot read what lies outside its folder."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(
            _("“%(name)s” is a link or a device. Please pack plain files and folders only.") % {"name": info.filename}
        )
    if info.flag_bits & _ENCRYPTED_FLAGS:
        raise InputError(_("The archive is encrypted. Please pack it without a password."))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(
            _("“%(name)s” is packed by a method we do not take. Please pack with plain zip compression (deflate).")
            % {"name": info.filename}
        )


def _bodies(data: bytes, infos: list[zipfile.ZipInfo], directory_start: int) -> list[bytes]:
    """Return the packed bytes of each entry; refuse entries that share bytes (a bomb that never repeats itself).

    See David Fifield, "A better zip bomb" (USENIX WOOT 2019): entries that overlap make the ratio of one entry useless.
    """
    bodies: dict[int, bytes] = {}
    end_of_last = 0
    for index, info in sorted(enumerate(infos), key=lambda pair: pair[1].header_offset):
        start = info.header_offset
        body_start = _body_start(data, info)
        if start < end_of_last or body_start + info.compress_size > directory_start:
            raise InputError(_("Entries of the archive overlap. Please pack it again with an ordinary tool."))
        end_of_last = body_start + info.compress_size
        bodies[index] = data[body_start:end_of_last]
    return [bodies[index] for index in range(len(infos))]


def _body_start(data: bytes, info: zipfile.ZipInfo) -> int:
    start = info.header_offset
    header = data[start : start + _LOCAL_HEADER.size] if start >= 0 else b""
    if len(header) < _LOCAL_HEADER.size or not header.startswith(b"PK\x03\x04"):
        raise InputError(_("This zip file is damaged. Please pack it again."))
    *_rest, name_bytes, extra_bytes = _LOCAL_HEADER.unpack(header)
    return start + _LOCAL_HEADER.size + int(name_bytes) + int(extra_bytes)


def _inflate(info: zipfile.ZipInfo, body: bytes) -> bytes:
    """Return the file's bytes. Never makes more than one byte above the declared size, whatever the stream holds."""
    content, whole = body, True
    if info.compress_type == zipfile.ZIP_DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(body, info.file_size + 1)
        except zlib.error as error:
            raise InputError(_("“%(name)s” is damaged. Please pack it again.") % {"name": info.filename}) from error
        whole = inflater.eof and not inflater.unused_data
    if not whole or len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise InputError(
            _("“%(name)s” is not as large as the archive says, or is damaged. Please pack it again.")
            % {"name": info.filename}
        )
    return content
