"""Reads the entries of an uploaded zip or tar, and trusts nothing that the archive declares.

``zipfile`` and ``core.tars`` find the entries. This module checks names, packing methods, sizes and ratios. It works in
memory and writes nothing to a disk.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from itertools import islice

from django.utils.translation import gettext as _

from common.errors import InputError
from core.tars import ArchiveEntry, BadTar, NoPlainFile, StrangeTar, tar_entries

ENTRIES_MAX = 500
TOTAL_MIB = 20
"""The inflated size of all files together, at most."""
RATIO_MAX, RATIO_FROM_BYTES = 100, 1024 * 1024
"""The highest ratio of inflated to packed bytes; checked only above ``RATIO_FROM_BYTES`` inflated bytes."""

ZIP_MAGIC = (b"PK\x03\x04", b"PK\x07\x08PK\x03\x04", b"PK00PK\x03\x04")
"""The first bytes of a zip: the first entry, or a mark before it of tools that may split archives (8.5.4, 8.5.5)."""
_GZIP_MAGIC = b"\x1f\x8b"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_INFLATED_BYTES_MAX = (TOTAL_MIB + 2) * 1024 * 1024
"""The inflated size of a gzipped tar, at most; the headers and the padding of entries come on top of ``TOTAL_MIB``."""
_ENTRIES_READ_MAX = 10 * ENTRIES_MAX
"""Entries read from a tar, at most, with those that systems add. The attack: 98 KB that inflate to 44,000 headers keep
a reader busy for a second."""
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
"""Flags of an encrypted entry, strong encryption and masked headers (PKWARE's APPNOTE.TXT, 4.4.4)."""
_DIRECTORY_BYTES_MAX = 256 * 1024
"""The size of the central directory of a zip, at most: five times what ordinary tools write for 500 entries."""
_LOCAL_HEADER_BYTES = 30
"""The smallest header in front of the bytes of an entry (4.3.7)."""
_UTF8_FLAG = 0x800
"""The flag of a name in UTF-8 (4.4.4); without it the name has the encoding of the system that packed it."""
_UNICODE_PATH, _UNICODE_PATH_VERSION = 0x7075, 1
"""The extra field that repeats the name in UTF-8 (4.6.9); Info-ZIP and WinRAR write it."""
_MS_DOS = 0
"""The number of MS-DOS as the packing system (4.4.2, ``ZipInfo.create_system``); .NET, for one, writes it."""
_JUNK = re.compile(
    r"""(^|/)(
        __MACOSX | \._[^/]* | \.DS_Store | \.localized | \.apdisk | \.AppleDouble | Icon\r
        | \.fseventsd | \.Spotlight-V100 | \.Trashes | \.TemporaryItems | \.DocumentRevisions-V100
        | (?i:Thumbs\.db | ehthumbs\.db | desktop\.ini) | \$RECYCLE\.BIN | System\ Volume\ Information
        | [^/]*:Zone\.Identifier | \.directory | \.Trash-[0-9]+
    )(/|$)""",
    re.VERBOSE,
)
"""Files and folders that macOS, Windows (WSL included) and Linux desktops add by themselves."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, EOFError, OverflowError, struct.error)
"""Exceptions that ``zipfile`` raises on a damaged file."""


def is_tar(data: bytes) -> bool:
    """Return whether an upload begins like a tar or a gzip file; it may still be damaged."""
    return data.startswith(_GZIP_MAGIC) or data.startswith(_TAR_MAGIC, _TAR_MAGIC_AT)


def archive_entries(data: bytes) -> list[ArchiveEntry]:
    """Return the files and folders of a zip or tar (plain or gzipped), without those that systems add.

    Names lose a leading ``./``, which ``tar -czf bot.tar.gz .`` writes in front of all of them.

    Raises:
        InputError: the archive is damaged, packed in an unsupported way, or larger than the limits.
    """
    return _zip_entries(data) if data.startswith(ZIP_MAGIC) else _tar_entries(data)


def _tar_entries(data: bytes) -> list[ArchiveEntry]:
    try:
        raw = _inflated(data) if data.startswith(_GZIP_MAGIC) else data
        every = list(islice(tar_entries(raw), _ENTRIES_READ_MAX + 1))
    except NoPlainFile as error:
        raise InputError(_link_refused(error.name)) from error
    except StrangeTar as error:
        sentence = _("The archive is packed in a strange way. Please pack it as a plain tar, or as a zip.")
        raise InputError(sentence) from error
    except (BadTar, zlib.error) as error:
        raise InputError(_("This tar file is damaged. Please pack it again.")) from error
    if len(every) > _ENTRIES_READ_MAX:
        raise InputError(_too_many())
    entries = [entry._replace(name=_inner(entry.name)) for entry in every if not _is_junk(entry.name)]
    _check_sizes([len(entry.data) for entry in entries], len(data))
    for entry in entries:
        name = entry.name.encode("utf-8", "surrogateescape")
        if name.decode("utf-8", "replace") != entry.name:
            raise InputError(_name_unreadable(name))
    return entries


def _inflated(data: bytes) -> bytes:
    """Return the tar in a gzip file, inflating at most ``_INFLATED_BYTES_MAX``."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    raw = inflater.decompress(data, _INFLATED_BYTES_MAX)
    if inflater.unconsumed_tail:
        sentence = _("The archive inflates to more than %(max)d MiB. Please leave out what your bot does not need.")
        raise InputError(sentence % {"max": TOTAL_MIB})
    if not inflater.eof or inflater.unused_data.strip(b"\0"):
        raise BadTar()
    return raw


def _zip_entries(data: bytes) -> list[ArchiveEntry]:
    file = _ZipFile(data)
    try:
        with zipfile.ZipFile(file) as archive:
            file.is_directory_read = True
            named = [(name, info) for info in archive.infolist() if not _is_junk(name := _name(info))]
            _check_sizes([info.file_size for _name, info in named], len(data))
            for name, info in named:
                _check_kind(name, info)
            _check_overlap([info for _name, info in named], archive.start_dir)
            return [_read(archive, name, info) for name, info in named]
    except InputError:  # a ValueError as well, so it must not reach the next clause
        raise
    except _DAMAGED as error:
        raise InputError(_("This zip file is damaged. Please pack it again.")) from error


def _read(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> ArchiveEntry:
    """Return an entry, inflating no more than the size that it declares, or 4 KiB, whatever its stream holds."""
    try:
        with archive.open(info) as file:
            content = file.read(info.file_size + 1)  # reading to the end also checks the checksum
        if len(content) != info.file_size:
            raise zipfile.BadZipFile("Some is missing.")
    except _DAMAGED as error:
        sentence = _("“%(name)s” is not as large as the archive says, or is damaged. Please pack it again.")
        raise InputError(sentence % {"name": name}) from error
    is_executable = bool(info.external_attr >> 16 & 0o111)
    return ArchiveEntry(name.removesuffix("/"), content, is_executable, is_folder=name.endswith("/"))


def _is_junk(name: str) -> bool:
    """Return whether a path is the packed folder itself, or a file that systems add (``_JUNK``)."""
    return name in (".", "./") or _JUNK.search(name) is not None


def _inner(name: str) -> str:
    return name if name == "./" else name.removeprefix("./")


def _name_unreadable(name: bytes) -> str:
    return _(
        "The file name “%(name)s” is in an old encoding, and the archive does not tell which; Explorer of Windows"
        " writes such zips. Please name the file in letters from a to z, or pack in a terminal: tar -czf bot.tar.gz"
        " FOLDER."
    ) % {"name": name[:80].decode("ascii", "replace")}


def _link_refused(name: str) -> str:
    return _(
        "“%(name)s” is a link or a device. Please pack plain files and folders only; zip -r packs what a link leads to."
    ) % {"name": ascii(name[:80])[1:-1]}


def _name(info: zipfile.ZipInfo) -> str:
    """Return the path of an entry; the path of a folder ends in ``/``.

    It does not use ``ZipInfo.filename``, which ``zipfile`` cuts at a NUL and decodes by code page 437 unless the flag
    for UTF-8 is set. Finder and ``zip`` on Debian write UTF-8 without the flag. PowerShell 5 separates by backslashes.

    Raises:
        InputError: the name is not UTF-8, and no extra field repeats it in UTF-8.
    """
    name = info.orig_filename
    if not info.flag_bits & _UTF8_FLAG:
        raw = name.encode("cp437")
        try:
            name = raw.decode()
        except UnicodeDecodeError as error:
            name = _unicode_path(info.extra, raw)
            if not name:
                raise InputError(_name_unreadable(raw)) from error
    if info.create_system == _MS_DOS and "/" not in name:
        name = name.replace("\\", "/")
    return _inner(name)


def _unicode_path(extra: bytes, raw: bytes) -> str:
    """Return the name in UTF-8 from the extra fields of an entry; empty if there is none.

    The field holds the CRC-32 of the name in the entry's own encoding (``raw``); if that differs, a tool that does not
    know the field has renamed the entry since.
    """
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + length], extra[4 + length :]
        if kind == _UNICODE_PATH and field[:5] == struct.pack("<BL", _UNICODE_PATH_VERSION, zlib.crc32(raw)):
            return field[5:].decode("utf-8", "surrogateescape")
    return ""


class _ZipFile(io.BytesIO):
    """A zip in memory that refuses a large central directory, which ``zipfile`` reads in one call.

    The attack: from a directory of 5 MiB, with 100,000 entries or with empty extra fields, ``zipfile`` makes entries
    for seconds before their number can be checked.
    """

    is_directory_read = False

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        if not self.is_directory_read and len(content) > _DIRECTORY_BYTES_MAX:
            raise InputError(_too_many())
        return content


def _too_many() -> str:
    return _("The archive holds far too many entries. Please leave out what is not needed.")


def _check_sizes(sizes: list[int], packed: int) -> None:
    """Refuse too many entries, and zip bombs by their declared sizes, which the inflating functions then enforce."""
    if len(sizes) > ENTRIES_MAX:
        sentence = _(
            "The archive holds %(count)d entries; at most %(max)d are allowed. Please leave out what is not needed."
        )
        raise InputError(sentence % {"count": len(sizes), "max": ENTRIES_MAX})
    total = sum(sizes)
    if total > TOTAL_MIB * 1024**2:
        sentence = _("The files of the archive are %(size).1f MiB large together; at most %(max)d MiB are allowed.")
        raise InputError(sentence % {"size": total / 1024**2, "max": TOTAL_MIB})
    if total > RATIO_FROM_BYTES and total > RATIO_MAX * packed:
        sentence = _(
            "The archive inflates to more than %(ratio)d times its size. Please make large tables in your program."
        )
        raise InputError(sentence % {"ratio": RATIO_MAX})


def _check_kind(name: str, info: zipfile.ZipInfo) -> None:
    """Refuse all but plain files and folders. The attack: a symbolic link lets a bot read files outside its folder."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(_link_refused(name))
    if info.flag_bits & _ENCRYPTED_FLAGS:
        raise InputError(_("The archive is encrypted. Please pack it without a password."))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        sentence = _(
            "“%(name)s” is packed by a method we do not take. Please pack with plain zip compression (deflate)."
        )
        raise InputError(sentence % {"name": name})


def _check_overlap(infos: list[zipfile.ZipInfo], directory_start: int) -> None:
    """Refuse entries that share bytes (a zip bomb without nested archives).

    See David Fifield, "A better zip bomb" (USENIX WOOT 2019): with overlaps the ratio of each single entry stays low.
    """
    infos = sorted(infos, key=lambda info: info.header_offset)
    starts = [*(info.header_offset for info in infos[1:]), directory_start]
    for info, next_start in zip(infos, starts, strict=False):
        if info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size > next_start:
            raise InputError(_("Entries of the archive overlap. Please pack it again with an ordinary tool."))
