"""Tars in the one form that we make: regular files only, sorted, without times or owners.

The same files give the same bytes everywhere, so a tar is named by its SHA-256. The site packs uploads by this, workers
what a build has made.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable
from typing import NamedTuple


class PackedFile(NamedTuple):
    """A file in a tar."""

    name: str
    """Path inside the tar."""
    data: bytes
    executable: bool


def tar_of(files: Iterable[PackedFile]) -> bytes:
    """Pack files into a tar, sorted by name."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(files):
            member = tarfile.TarInfo(file.name)
            member.size = len(file.data)
            member.mode = 0o755 if file.executable else 0o644
            tar.addfile(member, io.BytesIO(file.data))
    return buffer.getvalue()
