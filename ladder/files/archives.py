"""What an archive may hold, and reading an uploaded zip file without believing anything it says of itself.

``zipfile`` finds the entries; everything after that is checked here: what they are called, where they lie, how they are
packed, and that each inflates to exactly the size it declares. Nothing is ever written to a disk.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.errors import InputError

_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
"""A local file header up to the name (PKWARE's APPNOTE.TXT, 4.3.7); its last two fields: lengths of name and extra."""
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
"""Encrypted, strongly encrypted, masked headers (APPNOTE.TXT, 4.4.4)."""
_DIRECTORY_BYTES_MAX = 256 * 1024
"""Of the list at an archive's end: five times what 500 entries of ordinary tools take."""
_UTF8_FLAG = 0x800
"""The name is in UTF-8 (APPNOTE.TXT, 4.4.4); else its encoding is that of the system that packed it."""
_UNICODE_PATH, _UNICODE_PATH_VERSION = 0x7075, 1
"""The extra field with the same name in UTF-8 (4.6.9), as Info-ZIP and WinRAR write it."""
_MS_DOS = 0
"""The system that packed it (4.4.2), of .NET for one, as ``zipfile`` calls it."""
_JUNK = re.compile(
    r"""(^|/)(
        __MACOSX | \._[^/]* | \.DS_Store | \.localized | \.apdisk | \.AppleDouble | Icon\r
        | \.fseventsd | \.Spotlight-V100 | \.Trashes | \.TemporaryItems | \.DocumentRevisions-V100
        | (?i:Thumbs\.db | ehthumbs\.db | desktop\.ini) | \$RECYCLE\.BIN | System\ Volume\ Information
        | [^/]*:Zone\.Identifier | \.directory | \.Trash-[0-9]+
    )(/|$)""",
    re.VERBOSE,
)
"""What macOS (its ``tar``, too), Windows (also seen from its Linux) and desktops of Linux add without being asked."""
_DAMAGED = (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OverflowError, struct.error)
"""What ``zipfile`` raises on a damaged directory."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file of an archive."""

    name: str
    """Path in the archive, not checked."""
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
    """Return all regular files of a zip file, and the names of all its folders, without the junk of systems.

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
    named = [(name, info) for info in infos if not is_junk(name := _name(info))]
    sizes_check([info.file_size for _name, info in named], len(data), limits)
    for name, info in named:
        _check_kind(name, info)
    bodies = _bodies(data, [info for _name, info in named], directory_start)
    files = [
        Entry(name, _inflate(name, info, body), bool(info.external_attr >> 16 & 0o111))
        for (name, info), body in zip(named, bodies, strict=True)
        if not name.endswith("/")
    ]
    return files, [name for name, _info in named if name.endswith("/")]


def is_junk(name: str) -> bool:
    """Tell whether a path is none of the author's: what systems and their file managers add, and a folder ``./``."""
    return name == "./" or _JUNK.search(name) is not None


def name_unreadable(name: bytes) -> str:
    """Return the sentence for a name that is no UTF-8."""
    return _(
        "The file name “%(name)s” is in an old encoding, and the archive does not tell which; Explorer of Windows"
        " writes such zips. Please name the file in letters from a to z, or pack in a terminal: tar -czf bot.tar.gz"
        " FOLDER."
    ) % {"name": name[:80].decode("ascii", "replace")}


def link_refused(name: str) -> str:
    """Return the sentence for an entry that is no plain file or folder."""
    return _(
        "“%(name)s” is a link or a device. Please pack plain files and folders only; zip -r packs what a link leads to."
    ) % {"name": ascii(name[:80])[1:-1]}


def _name(info: zipfile.ZipInfo) -> str:
    """Return the path of an entry, a folder's with a ``/`` at its end.

    Not ``filename``, which ``zipfile`` cuts at a NUL, and decodes by code page 437 where no flag tells of UTF-8. Finder
    and ``zip`` on Debian set no flag and write UTF-8. The separators of PowerShell 5 are backslashes.

    Raises:
        InputError: it is in another encoding.
    """
    name = info.orig_filename
    if not info.flag_bits & _UTF8_FLAG:
        raw = name.encode("cp437")
        try:
            name = raw.decode()
        except UnicodeDecodeError as error:
            if not (told := _unicode_path(info.extra, raw)):
                raise InputError(name_unreadable(raw)) from error
            name = told
    if info.create_system == _MS_DOS and "/" not in name:
        name = name.replace("\\", "/")
    return name if name == "./" else name.removeprefix("./")


def _unicode_path(extra: bytes, raw: bytes) -> str:
    """Return the name in UTF-8 that an entry has besides its own, empty if it has none.

    Args:
        extra: the extra fields, each with its kind and length.
        raw: the name, whose CRC-32 stands in the field: else somebody who knows nothing of it has changed the name.
    """
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + length], extra[4 + length :]
        if kind == _UNICODE_PATH and field[:5] == struct.pack("<BL", _UNICODE_PATH_VERSION, zlib.crc32(raw)):
            return field[5:].decode("utf-8", "surrogateescape")
    return ""


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


def _check_kind(name: str, info: zipfile.ZipInfo) -> None:
    """Refuse what is no plain file or folder. A symbolic link would let a bot read what lies outside its folder."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(link_refused(name))
    if info.flag_bits & _ENCRYPTED_FLAGS:
        raise InputError(_("The archive is encrypted. Please pack it without a password."))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(
            _("“%(name)s” is packed by a method we do not take. Please pack with plain zip compression (deflate).")
            % {"name": name}
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


def _inflate(name: str, info: zipfile.ZipInfo, body: bytes) -> bytes:
    """Return the file's bytes. Never makes more than one byte above the declared size, whatever the stream holds."""
    content, whole = body, True
    if info.compress_type == zipfile.ZIP_DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(body, info.file_size + 1)
        except zlib.error as error:
            raise InputError(_("“%(name)s” is damaged. Please pack it again.") % {"name": name}) from error
        whole = inflater.eof and not inflater.unused_data
    if not whole or len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise InputError(
            _("“%(name)s” is not as large as the archive says, or is damaged. Please pack it again.") % {"name": name}
        )
    return content
