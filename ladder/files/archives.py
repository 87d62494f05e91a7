"""Reading an uploaded zip or tar without believing anything that it says of itself.

``zipfile`` and ``core.tars`` find the entries; what they are called, how they are packed and how large they may be is
checked here. Nothing is ever written to a disk.
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
"""All files together, inflated."""
RATIO_MAX, RATIO_FROM_BYTES = 100, 1024 * 1024
"""Inflated bytes to packed bytes, once so many bytes are passed."""

ZIP_MAGIC = b"PK\x03\x04"
_GZIP_MAGIC = b"\x1f\x8b"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_INFLATED_BYTES_MAX = (TOTAL_MIB + 2) * 1024 * 1024
"""Of a tar in a gzip file: each entry has a header, one that names it, and fills up its last block."""
_ENTRIES_READ_MAX = 10 * ENTRIES_MAX
"""Of a tar, with what systems add. The attack: of 98 KB that inflate to 44,000 headers a reader makes a second."""
_ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
"""Encrypted, strongly encrypted, masked headers (PKWARE's APPNOTE.TXT, 4.4.4)."""
_DIRECTORY_BYTES_MAX = 256 * 1024
"""Of the list at a zip's end: five times what 500 entries of ordinary tools take."""
_LOCAL_HEADER_BYTES = 30
"""In front of an entry's bytes, at least (4.3.7)."""
_UTF8_FLAG = 0x800
"""The name is in UTF-8 (4.4.4); else its encoding is that of the system that packed it."""
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
_DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, EOFError, OverflowError, struct.error)
"""What ``zipfile`` raises on a damaged file."""


def is_tar(data: bytes) -> bool:
    """Tell whether an upload is meant as a tar, packed or not, damaged or not."""
    return data.startswith(_GZIP_MAGIC) or data.startswith(_TAR_MAGIC, _TAR_MAGIC_AT)


def archive_entries(data: bytes) -> list[ArchiveEntry]:
    """Return the files and folders of a zip or tar (plain or with gzip), without what systems add.

    A ``./`` at the beginning of a name is left out: that is how all names begin in ``tar -czf bot.tar.gz .``.

    Raises:
        InputError: it is damaged, packed in a strange way, or larger than the limits.
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
    """Return the tar in a gzip file. Never makes more than what the largest tar that we take may be."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    raw = inflater.decompress(data, _INFLATED_BYTES_MAX)
    if inflater.unconsumed_tail:
        raise InputError(
            _("The archive inflates to more than %(max)d MiB. Please leave out what your bot does not need.")
            % {"max": TOTAL_MIB}
        )
    if not inflater.eof or inflater.unused_data.strip(b"\0"):
        raise BadTar("The gzip file around the tar is damaged.")
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
    except InputError:  # which is a ValueError, too
        raise
    except _DAMAGED as error:
        raise InputError(_("This zip file is damaged. Please pack it again.")) from error


def _read(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> ArchiveEntry:
    """Return an entry. Never makes more of it than it declares, or 4 KiB, whatever the stream holds."""
    try:
        with archive.open(info) as file:
            content = file.read(info.file_size + 1)  # at whose end its checksum is compared, too
        if len(content) != info.file_size:
            raise zipfile.BadZipFile("Some is missing.")
    except _DAMAGED as error:
        sentence = _("“%(name)s” is not as large as the archive says, or is damaged. Please pack it again.")
        raise InputError(sentence % {"name": name}) from error
    is_executable = bool(info.external_attr >> 16 & 0o111)
    return ArchiveEntry(name.removesuffix("/"), content, is_executable, is_folder=name.endswith("/"))


def _is_junk(name: str) -> bool:
    """Tell whether a path is the packed folder itself, or what systems and their file managers add."""
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
                raise InputError(_name_unreadable(raw)) from error
            name = told
    if info.create_system == _MS_DOS and "/" not in name:
        name = name.replace("\\", "/")
    return _inner(name)


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


class _ZipFile(io.BytesIO):
    """A zip whose directory is being read, in one read.

    The attack: of a directory of 5 MiB, with 100,000 entries or with extra fields that hold nothing, ``zipfile`` makes
    entries for seconds before anybody can count them.
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
    """Refuse too many entries, and bombs by the bytes that entries declare; who inflates them makes that binding."""
    if len(sizes) > ENTRIES_MAX:
        raise InputError(
            _("The archive holds %(count)d entries; at most %(max)d are allowed. Please leave out what is not needed.")
            % {"count": len(sizes), "max": ENTRIES_MAX}
        )
    total = sum(sizes)
    if total > TOTAL_MIB * 1024**2:
        raise InputError(
            _("The files of the archive are %(size).1f MiB large together; at most %(max)d MiB are allowed.")
            % {"size": total / 1024**2, "max": TOTAL_MIB}
        )
    if total > RATIO_FROM_BYTES and total > RATIO_MAX * packed:
        raise InputError(
            _("The archive inflates to more than %(ratio)d times its size. Please make large tables in your program.")
            % {"ratio": RATIO_MAX}
        )


def _check_kind(name: str, info: zipfile.ZipInfo) -> None:
    """Refuse what is no plain file or folder. A symbolic link would let a bot read what lies outside its folder."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(_link_refused(name))
    if info.flag_bits & _ENCRYPTED_FLAGS:
        raise InputError(_("The archive is encrypted. Please pack it without a password."))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(
            _("“%(name)s” is packed by a method we do not take. Please pack with plain zip compression (deflate).")
            % {"name": name}
        )


def _check_overlap(infos: list[zipfile.ZipInfo], directory_start: int) -> None:
    """Refuse entries that share bytes (a bomb that never repeats itself).

    See David Fifield, "A better zip bomb" (USENIX WOOT 2019): entries that overlap make the ratio of one entry useless.
    """
    infos = sorted(infos, key=lambda info: info.header_offset)
    starts = [*(info.header_offset for info in infos[1:]), directory_start]
    for info, next_start in zip(infos, starts, strict=False):
        if info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size > next_start:
            raise InputError(_("Entries of the archive overlap. Please pack it again with an ordinary tool."))
