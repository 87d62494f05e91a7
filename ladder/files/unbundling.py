"""Bundles as zips, for the owners who want back what they have uploaded."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile


def bundle_zip(data: bytes) -> bytes:
    """Return a bundle as a zip: uploaded again, it makes the same bundle, but for two cases.

    It may be packed so much worse, or better, than it came that it passes the limits of uploads. And a bundle of before
    may have a folder around all its files, since uploads used to lose the outermost one alone: it loses that now.

    Args:
        data: the canonical tar (``ladder.files.bundles``).
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar, zipfile.ZipFile(buffer, "w") as archive:
        for member in tar.getmembers():
            info = zipfile.ZipInfo(member.name)
            info.external_attr = (stat.S_IFREG | member.mode) << 16
            file = tar.extractfile(member)
            archive.writestr(info, file.read() if file else b"", zipfile.ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()
