"""A build step may forge the tar with its files: the reader of such tars refuses every trick."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from sandbox import tars
from sandbox.tars import BLOCK, ENTRIES_MAX, BadTar, unpack


def header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def pax(record: bytes) -> bytes:
    """Return a pax header with this record, which describes the next file of the tar."""
    digits = next(n for n in range(1, 9) if len(str(n + 1 + len(record))) == n)
    data = b"%d %b" % (digits + 1 + len(record), record)
    return header("x", tarfile.XHDTYPE, len(data)) + padded(data)


END = bytes(2 * BLOCK)
SPARSE = bytearray(header("giant", tarfile.GNUTYPE_SPARSE))
SPARSE[483:494] = b"%011o" % (1 << 32)
FORGED = {
    "a file of which the end is missing": (header("a", size=1 << 32), "cut off"),
    "a size below nothing": (header("a", size=-512) + END, "no tar"),
    "a size that is no number": (header("a").replace(b"00000000000\0", b"+0000000001\0", 1) + END, "no tar"),
    "no end": (header("a"), "cut off"),
    "something else": (b"#!/bin/sh\n" * 100, "no tar"),
    "a sparse file of gigabytes": (padded(bytes(SPARSE)) + END, "no regular file"),
    "a sparse file by a pax header": (pax(b"GNU.sparse.size=-4294967296\n") + header("a") + END, "more of a file"),
    "another size by a pax header": (pax(b"size=4294967296\n") + header("a") + END, "more of a file"),
    "half a pax header": (pax(b"path=a") + header("a") + END, "more of a file"),
    "digits without end": (pax(b"1" * 100_000) + header("a") + END, "more of a file"),
    "no pax header": (header("a", tarfile.XHDTYPE, 2) + padded(b"?\n") + END, "more of a file"),
    "a pax header of all files": (header("a", tarfile.XGLTYPE) + END, "no regular file"),
    "a link": (header("a", tarfile.SYMTYPE) + END, "no regular file"),
    "a hard link": (header("a", tarfile.LNKTYPE) + END, "no regular file"),
    "a device": (header("a", tarfile.CHRTYPE) + END, "no regular file"),
    "a way out": (header("a/../../b") + END, "leads out"),
    "an absolute name": (header("/a") + END, "leads out"),
    "a file that is a folder": (header("a") + header("a/b") + END, "as a file and as a folder"),
    "a folder that is a file": (header("a/b") + header("a") + END, "as a file and as a folder"),
    "folders without end": (header("a/" * 1_500) + END, "longer than 255 bytes"),
    "thousands of files": (b"".join(map(header, map(str, range(ENTRIES_MAX + 1)))) + END, "more than 2000 files"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tar_is_refused(tmp_path: Path, name: str) -> None:
    tar, words = FORGED[name]
    (tmp_path / "out").mkdir()
    with pytest.raises(BadTar, match=words):
        unpack(io.BytesIO(tar), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_bytes_are_counted_while_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tars, "BYTES_MAX", 1_500)
    files = b"".join(header(name, size=1_000) + padded(bytes(1_000)) for name in "ab")
    with pytest.raises(BadTar, match="more than 0 MiB"):
        unpack(io.BytesIO(files + END), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_nested_headers_are_refused_quickly(tmp_path: Path) -> None:
    """Python's tarfile recurses for each of them, until it fails."""
    names = (header("././@LongLink", tarfile.GNUTYPE_LONGNAME, 2) + padded(b"x\0")) * 3_000
    unpack(io.BytesIO(names + header("y") + END), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_what_gnu_tar_writes_comes_back(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    long = "n" * 200
    (source / "folder" / "empty").mkdir(parents=True)
    (source / "folder" / long).write_bytes(b"x" * 700)
    (source / "run").touch(0o755)
    (source / "a \xe4\n\udcff").write_bytes(b"odd")
    tar = subprocess.run(["/usr/bin/tar", "--create", "--directory", source, "."], capture_output=True, check=True)
    out.mkdir()
    unpack(io.BytesIO(tar.stdout), out)
    contents = {str(path.relative_to(out)): path.is_file() and path.read_bytes() for path in out.rglob("*")}
    odd = {"folder": False, "folder/empty": False, f"folder/{long}": b"x" * 700, "run": b"", "a \xe4\n\udcff": b"odd"}
    assert contents == odd
    assert (out / "run").stat().st_mode & 0o777 == 0o755
    assert (out / "folder" / long).stat().st_mode & 0o777 == 0o644
