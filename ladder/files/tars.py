"""Reading an uploaded tar, plain or compressed with gzip, without believing anything it says of itself.

The blocks are walked through here before ``tarfile`` sees them: what is no plain file or folder is refused, and so is
all by which the two could read different things out of one file. Nothing is ever written to a disk.
"""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterator

from django.utils.translation import gettext as _

from ladder.errors import InputError
from ladder.files.archives import ARCHIVE_LIMITS, ArchiveLimits, Entry, sizes_check

GZIP_MAGIC = b"\x1f\x8b"

_BLOCK = 512
_MAGIC_AT = 257
_MAGIC = b"ustar"
_FILES, _FOLDER = (b"0", b"\0"), b"5"
_NAMING = (b"x", b"L")
"""Blocks that say what the next entry is called, and more about it (POSIX pax, GNU)."""
_ABOUT_ALL = b"g"
"""One such block for all that follow: ``git archive`` writes a commit's number there."""
_NAMING_BYTES_MAX = 64 * 1024
"""macOS keeps there what it knows of a file. ``tarfile`` of Debian 12 takes quadratic time for such a block."""
_REDEFINING = (b"size=", b"GNU.sparse.")
"""What a naming block may not say: that the next file is not as large as its own header tells, or has holes."""


def is_tar(data: bytes) -> bool:
    """Tell whether an upload is meant as a tar, packed or not, damaged or not."""
    return data.startswith(GZIP_MAGIC) or data[_MAGIC_AT:].startswith(_MAGIC)


def tar_entries(data: bytes, limits: ArchiveLimits = ARCHIVE_LIMITS) -> tuple[list[Entry], list[str]]:
    """Return all regular files of a tar, and the names of all its folders.

    A ``./`` at the beginning of a name is left out: that is how all names begin in ``tar -czf bot.tar.gz .``.

    Raises:
        InputError: the tar is damaged, packed in a strange way, or larger than the limits.
    """
    raw = _inflated(data, limits) if data.startswith(GZIP_MAGIC) else data
    sizes = list(_sizes(raw))
    sizes_check(sizes, len(data), limits)
    try:
        with tarfile.open(fileobj=io.BytesIO(raw), mode="r:") as tar:
            members = tar.getmembers()
            entries = [_entry(tar, member) for member in members if not member.isdir()]
    except InputError:  # which is a ValueError, too
        raise
    except (tarfile.TarError, ValueError, EOFError, OverflowError) as error:
        raise InputError(_damaged()) from error
    # Of a header that it cannot read ``tarfile`` makes an end: what lies behind would be missing without a word.
    if len(members) != len(sizes):
        raise InputError(_damaged())
    folders = [_name(member) for member in members if member.isdir()]
    return entries, [f"{name}/" for name in folders if name not in ("", ".")]


def _inflated(data: bytes, limits: ArchiveLimits) -> bytes:
    """Return the tar in a gzip file. Never makes more than what the largest tar that we take may be."""
    # Each file has a block of its own, one or two that name it, and fills up its last one.
    bytes_max = limits.total_mib * 1024**2 + limits.entries_max * (4 * _BLOCK + _NAMING_BYTES_MAX // 16)
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


def _sizes(raw: bytes) -> Iterator[int]:
    """Go from header to header; give the size of each file, and 0 for each folder."""
    at = 0
    while (header := raw[at : at + _BLOCK]).strip(b"\0"):
        kind, size = header[156:157], _size(header)
        content = raw[at + _BLOCK : at + _BLOCK + size]
        if len(header) < _BLOCK or len(content) < size or (kind == _FOLDER and size):
            raise InputError(_damaged())
        if kind in _NAMING or kind == _ABOUT_ALL:
            if size > _NAMING_BYTES_MAX or any(word in content for word in _REDEFINING):
                raise InputError(
                    _("The archive is packed in a strange way. Please pack it as a plain tar, or as a zip.")
                )
        elif kind in _FILES or kind == _FOLDER:
            yield size
        else:
            name = header[:100].split(b"\0")[0].decode("ascii", "replace")
            raise InputError(_no_file(name))
        at += _BLOCK * (1 + -(-size // _BLOCK))


def _size(header: bytes) -> int:
    """Return what a header says of the size. In octal, as all tools write sizes below 8 GiB."""
    digits = header[124:136].strip(b" \0")
    if not digits or digits.strip(b"01234567"):
        raise InputError(_damaged())
    return int(digits, 8)


def _entry(tar: tarfile.TarFile, member: tarfile.TarInfo) -> Entry:
    file = tar.extractfile(member) if member.isreg() and not member.issparse() else None
    if file is None:
        raise InputError(_no_file(member.name))
    content = file.read()
    if len(content) != member.size:
        raise InputError(_damaged())
    return Entry(_name(member), content, bool(member.mode & 0o111))


def _name(member: tarfile.TarInfo) -> str:
    return member.name.removeprefix("./")


def _damaged() -> str:
    return _("This tar file is damaged. Please pack it again.")


def _no_file(name: str) -> str:
    return _("“%(name)s” is a link or a device. Please pack plain files and folders only.") % {
        "name": ascii(name)[1:-1]
    }
