"""Build steps may forge the tar with their files, and leave traps in folders: the readers refuse every trick."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from core.tars import ArchiveEntry, BadTar, tar_of
from sandbox import tars
from sandbox.tars import ENTRIES_MAX, folder_files, unpack
from tests.core.test_tars import END, FORGED, block, tar_by_python

FILES = [ArchiveEntry("b/run", b"#!", executable=True), ArchiveEntry("a.txt", b"text")]
TRAPS = {
    **{name: (data, "tar-damaged|tar-strange|tar-link") for name, (data, _) in FORGED.items()},
    "a way out": (tar_by_python({"a/../../b": b""}), "tar-outside"),
    "a way up": (tar_by_python({"../outside": b""}), "tar-outside"),
    "an absolute name": (tar_by_python({"/outside": b""}), "tar-outside"),
    "a file that is a folder": (tar_by_python({"a": b"", "a/b": b""}), "tar-twice"),
    "a folder that is a file": (tar_by_python({"a/b": b"", "a": b""}), "tar-twice"),
    "folders without end": (tar_by_python({"a/" * 1_500 + "b": b""}), "tar-long-name .* most=255"),
    "thousands of files": (b"".join(block() for _ in range(ENTRIES_MAX + 1)) + END, "tar-entries most=2000"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_nothing_of_a_forged_tar_is_written_outside(tmp_path: Path, name: str) -> None:
    tar, words = TRAPS[name]
    with pytest.raises(BadTar, match=words):
        unpack(tar, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_bytes_are_counted_while_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tars, "BYTES_MAX", 1_500)
    with pytest.raises(BadTar, match="tar-size most=0"):
        unpack(tar_by_python({"a": bytes(1_000), "b": bytes(1_000)}), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["\u756a\u4ed8.txt", "n" * 150 + "/a", "\udcff", "a \xe4\n"])
def test_a_folder_comes_back_as_it_was_packed(tmp_path: Path, name: str) -> None:
    files = [*FILES, ArchiveEntry(name, b"x")]
    unpack(tar_of(files), tmp_path / "x")
    assert sorted(folder_files(tmp_path / "x")) == sorted(files)
    assert (tmp_path / "x/b/run").stat().st_mode & 0o777 == 0o755


def test_empty_folders_are_made(tmp_path: Path) -> None:
    unpack(tar_by_python({"./": b"", "lib/empty/": b""}), tmp_path)
    assert list(tmp_path.rglob("*")) == [tmp_path / "lib", tmp_path / "lib/empty"]


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
            socket.socket(socket.AF_UNIX).bind(str(path))
    with pytest.raises(BadTar, match="'trap'"):
        folder_files(path.parent)


@pytest.mark.parametrize(
    ("limit", "words"), [("BYTES_MAX", "build-left-size most=1"), ("ENTRIES_MAX", "build-left-files most=2")]
)
def test_a_build_that_makes_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, words: str
) -> None:
    monkeypatch.setattr(tars, limit, {"BYTES_MAX": 1024**2, "ENTRIES_MAX": 2}[limit])
    for name in "ab":
        (tmp_path / name).write_bytes(bytes(500_000))
    assert len(folder_files(tmp_path)) == 2
    (tmp_path / "c").write_bytes(bytes(50_000))
    with pytest.raises(BadTar, match=words):
        folder_files(tmp_path)
