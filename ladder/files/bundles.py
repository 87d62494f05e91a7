"""Bundles: the checked and normalized form of an upload.

``bundle_check`` turns each upload, from a page or from the API, into a *bundle*: a tar of regular files in a fixed form
(sorted, without times and owners), stored under its SHA-256. Workers unpack only such tars, never the upload itself.
"""

from __future__ import annotations

import hashlib
import io
import stat
import unicodedata
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.utils.translation import gettext as _

from common.errors import InputError
from core.languages import SOURCE_SUFFIXES
from core.tars import ArchiveEntry, tar_entries, tar_of
from ladder.files.archives import ZIP_MAGIC, archive_entries, is_tar

ARCHIVE_SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")
PATH_BYTES_MAX = 200
PATH_DEPTH_MAX = 10

_OTHER_ARCHIVES = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "RAR",
    b"\xfd7zXZ\0": "xz",
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"LZIP": "lzip",
    b"MSCF": "CAB",
    b"\x1f\x9d": "compress",
}
"""The first bytes of archive formats that are refused, and the names of these formats."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A checked upload."""

    data: bytes
    """The canonical tar."""
    digest: str
    """SHA-256 of ``data``, hexadecimal."""
    files: tuple[str, ...]
    """Paths in the tar, sorted."""


def bundle_check(*, name: str, data: bytes) -> Bundle:
    """Return an upload (a zip file, a tar, plain or gzipped, or one source file) as a bundle after checking it.

    Raises:
        InputError: the upload is refused; the sentence says what to change.
    """
    if not archive_is(name=name, data=data):
        return bundle_of([ArchiveEntry(name, data)])
    entries = archive_entries(data)
    for entry in entries:
        _path_check(entry.name)
    files = [entry._replace(name=unicodedata.normalize("NFC", entry.name)) for entry in entries if not entry.is_folder]
    _check_names_differ(files)
    if not files:
        raise InputError(_("The archive holds no file. Please pack your bot's files into it."))
    return bundle_of(_without_common_folders(files))


def archive_is(*, name: str, data: bytes) -> bool:
    """Return whether an upload is an archive, and not one source file, by its name and first bytes.

    Raises:
        InputError: it is neither; the sentence says what to send.
    """
    is_source = name.endswith(SOURCE_SUFFIXES)  # a source file may hold "ustar" where a tar does
    if data.startswith(ZIP_MAGIC) or (is_tar(data) and not is_source):
        return True
    for magic, kind in _OTHER_ARCHIVES.items():
        if data.startswith(magic) and not is_source:
            sentence = _("This archive is packed as %(kind)s. Please pack your bot's files as a zip or as a .tar.gz.")
            raise InputError(sentence % {"kind": kind})
    if name.lower().endswith(ARCHIVE_SUFFIXES):
        raise InputError(_("This is no zip or tar file, or an empty one. Please pack your bot's files again."))
    if not is_source:  # suffixes are case-sensitive: builders do not find MAIN.PY
        sentence = _("Please upload a zip or tar file, or one source file that ends in %(suffixes)s.")
        raise InputError(sentence % {"suffixes": ", ".join(SOURCE_SUFFIXES)})
    if not data.strip():
        raise InputError(_("The file is empty. Please choose the file that holds your bot."))
    _path_check(name)
    return False


def bundle_of(files: Iterable[ArchiveEntry]) -> Bundle:
    """Pack files into the canonical tar; the caller has checked their names."""
    files = sorted(files)
    data = tar_of(files)
    return Bundle(data, hashlib.sha256(data).hexdigest(), tuple(file.name for file in files))


def bundle_to_zip(data: bytes) -> bytes:
    """Return a bundle (``Bundle.data``) as a zip, for owners who download what they have uploaded.

    An upload of that zip makes the same bundle again, unless the zip is larger than the limit of uploads.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in tar_entries(data):
            info = zipfile.ZipInfo(file.name)
            info.external_attr = (stat.S_IFREG | (0o755 if file.executable else 0o644)) << 16
            archive.writestr(info, file.data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _path_check(path: str) -> None:
    """Refuse a path that could lead out of the bot's folder, or that another system reads differently.

    The attack: a filter that removes parts of a path can be used to build one, as ``....//`` becomes ``../``. So a path
    is taken as it is or refused, never corrected.
    """
    shown = ascii(path[:80]).strip("'\"")
    if any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Cn", "Co"} for character in path):
        raise InputError(_("The file name “%(name)s” holds control characters. Please rename it.") % {"name": shown})
    if "\\" in path or ":" in path:
        raise InputError(
            _("The file name “%(name)s” holds a backslash or a colon. Please rename it.") % {"name": shown}
        )
    if any(part in ("", ".", "..") for part in path.split("/")):
        sentence = _("The path “%(name)s” leads out of the archive. Please pack paths that start inside of it.")
        raise InputError(sentence % {"name": shown})
    if len(path.encode()) > PATH_BYTES_MAX or path.count("/") >= PATH_DEPTH_MAX:
        sentence = _("The path “%(name)s” is too long or too deep (at most %(bytes)d bytes and %(depth)d levels).")
        raise InputError(sentence % {"name": shown, "bytes": PATH_BYTES_MAX, "depth": PATH_DEPTH_MAX})


def _check_names_differ(files: list[ArchiveEntry]) -> None:
    """Refuse two names that differ only by case, and a name that is both a file and a folder."""
    seen: set[str] = set()
    for entry in files:
        key = entry.name.casefold()
        if key in seen:
            sentence = _("The archive holds “%(name)s” twice, perhaps with other capitals. Please keep one of them.")
            raise InputError(sentence % {"name": entry.name})
        seen.add(key)
    for key in seen:
        for parent in PurePosixPath(key).parents:
            if str(parent) in seen:
                sentence = _("“%(name)s” is both a file and a folder in the archive. Please rename one of them.")
                raise InputError(sentence % {"name": parent})


def _without_common_folders(files: list[ArchiveEntry]) -> list[ArchiveEntry]:
    """Remove folders that contain all files: many people pack the folder of their bot instead of its content."""
    tops = {entry.name.partition("/")[0] for entry in files}
    if len(tops) > 1 or not all("/" in entry.name for entry in files):
        return files
    return _without_common_folders([entry._replace(name=entry.name.partition("/")[2]) for entry in files])
