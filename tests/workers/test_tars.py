"""Tars that we make, and those that we do not take."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from sandbox.tars import BadTar
from wire.packing import PackedFile, tar_of
from workers import tars
from workers.tars import folder_files, tar_unpack

FILES = [PackedFile("b/run", b"#!", executable=True), PackedFile("a.txt", b"text", executable=False)]


def test_the_order_of_files_does_not_matter() -> None:
    assert tar_of(FILES) == tar_of(reversed(FILES))


def test_a_folder_comes_back_as_it_was_packed(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(tar_of(FILES))
    tar_unpack(tmp_path / "x.tar", tmp_path / "x")
    assert sorted(folder_files(tmp_path / "x")) == sorted(FILES)


@pytest.mark.parametrize("name", ["\u756a\u4ed8.txt", "n" * 150 + "/a", "\udcff"])
def test_names_of_any_signs_and_lengths_come_back(tmp_path: Path, name: str) -> None:
    files = [PackedFile(name, b"x", executable=False)]
    (tmp_path / "x.tar").write_bytes(tar_of(files))
    tar_unpack(tmp_path / "x.tar", tmp_path / "x")
    assert list(folder_files(tmp_path / "x")) == files


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_only_regular_files_are_unpacked(tmp_path: Path, kind: bytes) -> None:
    member = tarfile.TarInfo("trap")
    member.type, member.linkname = kind, "/etc/passwd"
    (tmp_path / "x.tar").write_bytes(_tar_with(member))
    with pytest.raises(BadTar, match="'trap'"):
        tar_unpack(tmp_path / "x.tar", tmp_path / "x")
    assert list((tmp_path / "x").iterdir()) == []


@pytest.mark.parametrize("name", ["../outside", "a/../../outside", "/outside"])
def test_nothing_is_written_outside(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.tar").write_bytes(_tar_with(tarfile.TarInfo(name)))
    with pytest.raises(BadTar, match="leads out of its folder"):
        tar_unpack(tmp_path / "x.tar", tmp_path / "x")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["x", "x.tar"]


@pytest.mark.parametrize("trap", ["link to file", "link to folder", "fifo", "socket"])
def test_a_build_that_leaves_a_trap_is_refused(tmp_path: Path, trap: str) -> None:
    path = tmp_path / "out" / "trap"
    path.parent.mkdir()
    match trap:
        case "link to file":
            path.symlink_to("/etc/passwd")
        case "link to folder":
            path.symlink_to("/etc")
        case "fifo":
            os.mkfifo(path)
        case "socket":
            import socket

            socket.socket(socket.AF_UNIX).bind(str(path))
    with pytest.raises(BadTar, match="'trap'"):
        list(folder_files(path.parent))


def test_a_build_that_makes_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tars, "UNPACKED_BYTES_MAX", 1024**2)
    for name in "ab":
        (tmp_path / name).write_bytes(bytes(600_000))
    with pytest.raises(BadTar, match="more than 1 MiB"):
        list(folder_files(tmp_path))


def test_a_build_that_makes_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tars, "FILES_MAX", 2)
    for name in "ab":
        (tmp_path / name).touch()
    assert len(list(folder_files(tmp_path))) == 2
    (tmp_path / "c").touch()
    with pytest.raises(BadTar, match="more than 2 files"):
        list(folder_files(tmp_path))


def _tar_with(member: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        tar.addfile(member)
    return buffer.getvalue()
