"""What a step has left is read from a tar that the step may have forged."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from sandbox.api import BotFault
from sandbox.tars import BLOCK, ENTRIES_MAX, unpack


def header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


END = bytes(2 * BLOCK)
SPARSE = bytearray(header("giant", tarfile.GNUTYPE_SPARSE))
SPARSE[483:494] = b"%011o" % (1 << 32)
FORGED = {
    "a file of which the end is missing": (header("a", size=1 << 32), "cut off"),
    "a size below nothing": (header("a", size=-512) + END, "no tar"),
    "a size that is no number": (header("a").replace(b"00000000000\0", b"+0000000001\0", 1) + END, "no tar"),
    "no end": (header("a"), "cut off"),
    "something else": (b"#!/bin/sh\n" * 100, "no tar"),
    "a sparse file of gigabytes": (padded(bytes(SPARSE)) + END, "only regular files"),
    "another kind of header": (header("a", tarfile.XHDTYPE) + END, "only regular files"),
    "a link": (header("a", tarfile.SYMTYPE) + END, "only regular files"),
    "a hard link": (header("a", tarfile.LNKTYPE) + END, "only regular files"),
    "a device": (header("a", tarfile.CHRTYPE) + END, "only regular files"),
    "a way out": (header("a/../../b") + END, "leads out"),
    "an absolute name": (header("/a") + END, "leads out"),
    "a file that is a folder": (header("a") + header("a/b") + END, "a file and a folder"),
    "a folder that is a file": (header("a/b") + header("a") + END, "a file and a folder"),
    "folders without end": (header("a/" * 1_500) + END, "longer than 255 bytes"),
    "thousands of files": (b"".join(map(header, map(str, range(ENTRIES_MAX + 1)))) + END, "more than 2000 files"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tar_is_refused(tmp_path: Path, name: str) -> None:
    tar, words = FORGED[name]
    (tmp_path / "out").mkdir()
    with pytest.raises(BotFault, match=words):
        unpack(io.BytesIO(tar), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_headers_of_headers_are_one_name(tmp_path: Path) -> None:
    """Python's tarfile goes down a level with each of them, and does not come back."""
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
