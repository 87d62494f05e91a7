"""Writes zip files piece by piece, without the whole file in memory or on disk."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from datetime import datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_PIECE_BYTES = 64 * 1024
_PERMISSIONS = 0o644 << 16


class _Outlet(io.RawIOBase):
    """A file that can only be written, and whose content is taken away from time to time."""

    def __init__(self) -> None:
        self._content = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]  # what zipfile writes
        self._content += data
        return len(data)

    def taken(self, *, at_least: int = 1) -> Iterator[bytes]:
        """Yield the content, if there is enough of it, and forget it."""
        if len(self._content) >= at_least:
            yield bytes(self._content)
            self._content.clear()


def zip_pieces(*, files: Iterable[tuple[str, Iterable[bytes]]], at: datetime) -> Iterator[bytes]:
    """Yield a zip in pieces of about 64 KiB; each content is read only when it is written.

    ``files`` has pairs of a name and a content in pieces; ``at`` is the time that the zip gives for all files.
    """
    outlet = _Outlet()
    with ZipFile(outlet, "w") as archive:
        for name, content in files:
            info = ZipInfo(name, at.timetuple()[:6])
            info.compress_type, info.external_attr = ZIP_DEFLATED, _PERMISSIONS
            # Of a file that is written piece by piece zipfile has to know beforehand whether it may exceed 2 GiB.
            with archive.open(info, "w", force_zip64=True) as file:
                for piece in content:
                    file.write(piece)
                    yield from outlet.taken(at_least=_PIECE_BYTES)
    yield from outlet.taken()
