"""Tars are read as they were packed, and forged ones are refused."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tars import ArchiveEntry, BadTar, NoPlainFile, StrangeTar, tar_entries, tar_of

BLOCK = 512


END = bytes(2 * BLOCK)


FORMATS = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}


CONTENT = {"main.py": b"print()\n" * 90, "lib/": b"", "lib/" + "deep/" * 3 + "long" * 24: b"y" * 300}


def tar_by_python(files: Mapping[str, bytes], kind: int = tarfile.PAX_FORMAT, **fields: object) -> bytes:
    """Return a tar as the standard library packs it; names of folders end in ``/``."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=kind) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name.rstrip("/"))
            member.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            member.size = len(content)
            for field, value in fields.items():
                setattr(member, field, value)
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def block(content: bytes = b"", **fields: bytes) -> bytes:
    """Return a header with unchecked fields and a right checksum, followed by its content."""
    member = tarfile.TarInfo("evil")
    member.size = len(content)
    padded = content + bytes(-len(content) % BLOCK)
    return header_changed(member.tobuf(tarfile.USTAR_FORMAT) + padded, 0, **fields)


def header_changed(data: bytes, at: int, **fields: bytes) -> bytes:
    """Overwrite fields of the header at an offset, and update its checksum."""
    places = {"name": (0, 100), "size": (124, 12), "kind": (156, 1), "holes": (483, 12)}
    header = bytearray(data[at : at + BLOCK])
    for field, value in fields.items():
        start, length = places[field]
        header[start : start + length] = value.ljust(length, b"\0")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return data[:at] + bytes(header) + data[at + BLOCK :]


def pax(record: bytes) -> bytes:
    """Return a block with metadata of the next file."""
    digits = next(n for n in range(1, 9) if len(str(n + 1 + len(record))) == n)
    return block(b"%d %b" % (digits + 1 + len(record), record), kind=b"x")


NAMES = {"x": b"9 path=a\n", "g": b"9 path=a\n", "L": b"a\0"}


KINDS = {
    "a hard link": tarfile.LNKTYPE,
    "a symbolic link": tarfile.SYMTYPE,
    "a character device": tarfile.CHRTYPE,
    "a pipe": tarfile.FIFOTYPE,
    "a long link": tarfile.GNUTYPE_LONGLINK,
    "a tape's label": b"V",
    "nothing known": b"Z",
}


SIZES = (
    b"\x80" + b"\0" * 10 + b"\x05",
    b"\xff" * 12,
    b"-5",
    b"0x10",
    b"1_0",
    b"",
    b"1 2",
    b"\0001",
)


NO_RECORDS = {
    "that overlaps": b"2 " * 32_000 + b"=",  # of which tarfile makes a gigabyte
    "of digits": b"1" * 65_000,  # which tarfile searches for seconds
    "without a line break": b"8 path=a",
    "that is too short": b"08 path=\n",
    "of no length": b"0 path=a\n",
    "without a value": b"7 path\n",
    "that is too long": b"99 path=a\n",
}


FORGED: dict[str, tuple[bytes, type[BadTar]]] = {
    **{name: (block(kind=kind) + END, NoPlainFile) for name, kind in KINDS.items()},
    "a sparse file": (block(kind=b"S", holes=b"%011o" % (1 << 32)) + END, NoPlainFile),
    "a sparse file by a pax header": (pax(b"GNU.sparse.map=0,0\n") + block() + END, StrangeTar),
    "a sparse file of another size": (pax(b"GNU.sparse.size=-4294967296\n") + block() + END, StrangeTar),
    "two sizes": (pax(b"size=4294967296\n") + block() + END, StrangeTar),
    "two names": (block(NAMES["x"], kind=b"x") + block(NAMES["L"], kind=b"L") + block() + END, StrangeTar),
    "names without end": ((pax(b"a=%b\n" % bytes(10_000)) + block()) * 120 + END, StrangeTar),
    **{
        f"400 names ({kind})": (block(NAMES[kind], kind=kind.encode()) * 400 + block() + END, StrangeTar)
        for kind in NAMES
    },
    **{f"a name of nothing ({kind})": (block(NAMES[kind], kind=kind.encode()) + END, BadTar) for kind in NAMES},
    "5 MB of digits": (pax(b"comment=%b\n" % (b"1" * 5_000_000)) + block() + END, StrangeTar),  # CVE-2024-6232
    "a name with NUL": (pax(b"path=a\0b\n") + block() + END, BadTar),
    **{f"a size {size!r}": (block(size=size) + block(bytes(5)) + END, BadTar) for size in SIZES},
    **{
        f"a record {name} ({kind})": (block(content, kind=kind.encode()) + block() + END, BadTar)
        for name, content in NO_RECORDS.items()
        for kind in "xg"
    },
    "a folder with content": (block(b"x" * 600, kind=b"5") + END, BadTar),
    "a folder of V7 with content": (block(b"x" * 600, kind=b"\0", name=b"lib/") + END, BadTar),
    "a broken header behind a file": (block() + b"x" * BLOCK + block() + END, BadTar),  # where tarfile just ends
    "a file without its end": (block(size=b"%011o" % (1 << 32)) + END, BadTar),
    "no end": (block(), BadTar),
    **{f"{length} bytes": (block(bytes(2_000))[:length], BadTar) for length in (0, 300, 511, 600, 1_024)},
    "something else": (b"#!/bin/sh\n" * 100, BadTar),
}
"""Tars that the reader does not accept, and the errors."""


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tar_is_refused(name: str) -> None:
    data, fault = FORGED[name]
    with pytest.raises(BadTar) as caught:
        list(tar_entries(data))
    assert type(caught.value) is fault


@pytest.mark.parametrize("kind", FORMATS.values(), ids=FORMATS)
def test_tars_of_python_are_read(kind: int) -> None:
    entries = {entry.name + "/" * entry.is_folder: entry.data for entry in tar_entries(tar_by_python(CONTENT, kind))}
    assert entries == CONTENT


@pytest.mark.parametrize("kind", ["gnu", "pax", "v7"])
def test_tars_of_gnu_tar_are_read(tmp_path: Path, kind: str) -> None:
    long = "n" * (200 if kind != "v7" else 50)
    (tmp_path / "folder" / "empty").mkdir(parents=True)
    (tmp_path / "folder" / long).write_bytes(b"x" * 700)
    (tmp_path / "run").touch(0o755)
    (tmp_path / "a \xe4\n\udcff").write_bytes(b"odd")
    made = subprocess.run(["tar", f"--format={kind}", "-cC", tmp_path, "."], stdout=subprocess.PIPE, check=True)
    assert sorted(tar_entries(made.stdout)) == [
        (".", b"", True, True),
        ("./a \xe4\n\udcff", b"odd", False, False),
        ("./folder", b"", True, True),
        ("./folder/empty", b"", True, True),
        (f"./folder/{long}", b"x" * 700, False, False),
        ("./run", b"", True, False),
    ]


def test_tars_of_git_archive_are_read(tmp_path: Path) -> None:
    """Such a tar begins with a global header that has the hash of the commit."""
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    (tmp_path / "main.py").write_bytes(b"x")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    done = subprocess.run([*git, "archive", "HEAD"], check=True, stdout=subprocess.PIPE)
    assert b"pax_global_header" in done.stdout
    assert list(tar_entries(done.stdout)) == [("main.py", b"x", False, False)]


def test_other_metadata_of_a_file_is_ignored() -> None:
    data = tar_by_python({"a": b"x"}, pax_headers={"comment": "1" * 10_000, "mtime": "1.5"})
    assert list(tar_entries(data)) == [("a", b"x", False, False)]


FILES = [
    ArchiveEntry("b/run", b"#!", executable=True),
    *(ArchiveEntry(name, b"text" * 400) for name in ("a.txt", "\u756a\u4ed8.txt", "n" * 150 + "/a", "\udcff")),
]


def test_packed_files_are_read_unchanged() -> None:
    data = tar_of(FILES)
    assert list(tar_entries(data)) == sorted(FILES)
    assert data == tar_of(reversed(FILES)), "in whatever order they come"
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        members = {member.name: member for member in tar.getmembers()}
        assert {(member.uid, member.gid, member.mtime) for member in members.values()} == {(0, 0, 0)}
        assert (members["b/run"].mode, members["a.txt"].mode) == (0o755, 0o644)
    assert data == tar_by_python({file.name: file.data for file in sorted(FILES)}, mode=0o644).replace(
        *(header_of("b/run", mode) for mode in (0o644, 0o755))
    ), "by the bytes that Python packs, after which artifacts are named"


def header_of(name: str, mode: int) -> bytes:
    return tar_by_python({name: b"#!"}, mode=mode)[:BLOCK]


@given(st.data(), st.sampled_from([*FORMATS.values()]))
def test_no_header_with_a_right_checksum_brings_it_down(data: st.DataObject, kind: int) -> None:
    whole = tar_by_python(CONTENT, kind)
    places = [at for at in range(0, 4_096, BLOCK) if whole[at + 257 : at + 262] == b"ustar"]
    fields = {
        "name": st.binary(max_size=100),
        "size": st.one_of(st.integers(0, 9_999).map(lambda size: b"%011o" % size), st.binary(max_size=12)),
        "kind": st.sampled_from([*b"0123456789gxLKSVDNA\0"]).map(lambda kind: bytes([kind])),
    }
    for field in data.draw(st.lists(st.sampled_from([*fields]), min_size=1, max_size=4)):
        at = data.draw(st.sampled_from(places))
        whole = header_changed(whole, at, **{field: data.draw(fields[field])})
    try:
        entries = list(tar_entries(whole))
    except BadTar:
        return
    assert sum(len(entry.data) for entry in entries) <= len(whole)
    assert not any("\0" in entry.name for entry in entries)
