"""Attacks by uploaded archives, and the bundles that honest uploads become."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import stat
import struct
import subprocess
import tarfile
import tempfile
import tracemalloc
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from common.errors import InputError
from core.tars import ArchiveEntry, BadTar, NoPlainFile, StrangeTar
from ladder.files.archives import ENTRIES_MAX, TOTAL_MIB
from ladder.files.bundles import Bundle, bundle_check, bundle_of, bundle_to_zip
from sandbox.tars import unpack
from tests.core.test_tars import END, FORGED, block, tar_by_python
from tests.ladder.makers import SOURCE, zip_of

MAIN = {"main.py": SOURCE}
PACKERS: dict[str, Callable[[Mapping[str, bytes]], bytes]] = {
    "bot.zip": zip_of,
    "bot.tar": tar_by_python,
    "bot.tgz": lambda files: gzip.compress(tar_by_python(files)),
}
in_each_archive = pytest.mark.parametrize("archive", PACKERS)


def checked(data: bytes, name: str = "bot.zip") -> Bundle:
    return bundle_check(name=name, data=data)


def refusal(data: bytes, name: str = "bot.zip") -> str:
    with pytest.raises(InputError) as caught:
        checked(data, name)
    sentence = str(caught.value)
    assert sentence.endswith((".", ").")), "a whole sentence"
    return sentence


def entry(name: str, mode: int = 0, **fields: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def checked_as(archive: str, files: Mapping[str, bytes]) -> Bundle:
    """Return the bundle of files that are packed in this kind of archive."""
    return checked(PACKERS[archive](files), archive)


def refusal_as(archive: str, files: Mapping[str, bytes]) -> str:
    return refusal(PACKERS[archive](files), archive)


_CENTRAL = struct.Struct("<4s6H3L5H2L")
"""The format of an entry of the central directory up to its name (APPNOTE.TXT, 4.3.12)."""


def zip_of_entries(*entries: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for info, content in entries:
            archive.writestr(info, content)
    return buffer.getvalue()


# --- Honest uploads -------------------------------------------------------------------------------------------------


def test_one_source_file_becomes_a_tar_of_it() -> None:
    assert checked(b"#" * 257 + b"ustar\n", "main.py").files == ("main.py",), "it may hold the magic word of tars"
    bundle = checked(SOURCE, "my bot.py")
    with tarfile.open(fileobj=io.BytesIO(bundle.data)) as tar:
        (member,) = tar.getmembers()
        assert (member.name, member.mode, member.mtime, member.uid) == ("my bot.py", 0o644, 0, 0)
        assert tar.extractfile(member).read() == SOURCE  # type: ignore[union-attr]


@in_each_archive
def test_the_same_files_give_the_same_digest_however_they_were_packed(archive: str) -> None:
    table = Random(1).randbytes(300_000)  # noqa: S311 - larger than the largest directory of a zip
    files = {**MAIN, "lib/table": table, "lib/empty": b"", "lib/" + "deep/" * 3 + "long" * 24: b"x"}
    one = checked(zip_of(files, zipfile.ZIP_STORED))
    assert checked_as(archive, {"lib/": b"", **dict(reversed(files.items()))}) == one
    assert one.files == tuple(sorted(files))


@pytest.mark.parametrize("options", [["-cf"], ["-czf"], ["--format=pax", "-czf"], ["--format=v7", "-czf"]])
@pytest.mark.parametrize("what", [".", "bot", "main.py"])
def test_archives_made_by_tar_are_taken(options: list[str], what: str, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "main.py").write_bytes(SOURCE)
    packed = tmp_path / "packed"
    subprocess.run(["tar", *options, packed, what], cwd=tmp_path if what == "bot" else folder, check=True)
    assert checked(packed.read_bytes(), "bot.tgz") == checked(SOURCE, "main.py")


@in_each_archive
@pytest.mark.parametrize("around", ["", "./", "mybot/", "bot-main/bot/", "a/b/c/d/"])
def test_the_folders_round_everything_are_dropped(around: str, archive: str) -> None:
    """``tar -czf bot.tgz .`` and bsdtar write ``./`` before every name."""
    files = {f"{around}main.py": SOURCE, f"{around}lib/": b"", f"{around}lib/x.py": b"1"}
    assert checked_as(archive, files).files == ("lib/x.py", "main.py")


JUNK = (
    *(".DS_Store", "__MACOSX/mybot/._main.py", "mybot/._main.py", "mybot/Icon\r", ".Trashes/501/x"),
    *("desktop.ini", "Desktop.ini", "mybot/Thumbs.db", "$RECYCLE.BIN/S-1-5/x", "mybot/main.py:Zone.Identifier"),
    ".directory",
)


@in_each_archive
def test_files_that_systems_add_are_left_out_before_all_checks(archive: str) -> None:
    """Files of systems have names that bots may not have, are many, and lie beside the folder that holds the bot."""
    many = {f"__MACOSX/mybot/._{number}": b"x" for number in range(ENTRIES_MAX)}
    files = {"./": b"", "./._main.py": b"\0\5\x16\7", "mybot/main.py": SOURCE, **dict.fromkeys(JUNK, b"x"), **many}
    assert checked_as(archive, files).files == ("main.py",)


@pytest.mark.parametrize("name", ["Icon", "thumbs.db.py", "my.DS_Store", "MACOSX/x", "desktop.ini.txt", "._"])
def test_files_that_only_look_like_those_of_systems_stay(name: str) -> None:
    assert len(checked(zip_of({"main.py": SOURCE, name: b"x"})).files) == (1 if name == "._" else 2)


@pytest.mark.parametrize(
    ("archive", "data"),
    [
        ("bot.zip", zip_of_entries((entry("run.sh", stat.S_IFREG | 0o755), b"#!/bin/sh\n"), (entry("a"), b""))),
        ("bot.tar", tar_by_python({"run.sh": b"#!/bin/sh\n"}, mode=0o755)[:1024] + tar_by_python({"a": b""})),
    ],
)
def test_executable_files_stay_executable(archive: str, data: bytes) -> None:
    bundle = checked(data, archive)
    with tarfile.open(fileobj=io.BytesIO(bundle.data)) as tar:
        assert {member.name: member.mode for member in tar} == {"run.sh": 0o755, "a": 0o644}
    assert checked(bundle_to_zip(bundle.data)) == bundle, "also for owners who want it back"


def raw_zip(*names: bytes, flags: int = 0, system: int = 3, extra: bytes = b"") -> bytes:
    """Return a zip of empty files whose names are stored as these bytes."""
    local, central = b"", b""
    for name in names:
        fields = struct.pack("<HHHHLLLHH", flags, 0, 0, 33, 0, 0, 0, len(name), len(extra)) + b""
        head = struct.pack("<BBBB", 20, system, 20, 0)
        central += b"PK\1\2" + head + fields + struct.pack("<HHHLL", 0, 0, 0, 0, len(local)) + name + extra
        local += b"PK\3\4" + struct.pack("<H", 20) + fields + name + extra
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(names), len(names), len(central), len(local), 0)
    return local + central + end


BOARD, SOFT = "盤面.txt", "ソフト"


@pytest.mark.parametrize("flags", [0, 0x800], ids=["zip -qr, Finder", "7-Zip, Python"])
def test_names_of_any_script_are_taken(flags: int) -> None:
    names = ("main.py", f"{SOFT}/a.py", BOARD)
    assert checked(raw_zip(*map(str.encode, names), flags=flags)).files == names
    assert checked_as("bot.tar", dict.fromkeys(names, b"x")).files == names
    # Finder stores an accented letter as two characters, but programs open files by names with one.
    assert checked(raw_zip(b"main.py", "テ\u3099ータ.txt".encode())).files == ("main.py", "データ.txt")


IN_OLD_ENCODINGS = {
    "cp932": raw_zip(b"main.py", f"{SOFT}/main.py".encode("cp932"), system=0),
    "cp866": raw_zip("бот/main.py".encode("cp866"), system=0),
    "GNU tar": tar_by_python(MAIN | {"\udc83\\.py": b"x"}, tarfile.GNU_FORMAT),
    "ustar": tar_by_python(MAIN | {"\udc83\\.py": b"x"}, tarfile.USTAR_FORMAT),
}


@pytest.mark.parametrize("encoding", IN_OLD_ENCODINGS)
def test_names_in_another_encoding_are_refused_with_cause_and_remedy(encoding: str) -> None:
    told = refusal(IN_OLD_ENCODINGS[encoding])
    assert all(words in told for words in ("old encoding", "Explorer", "tar -czf"))
    assert "backslash" not in told


def unicode_path(raw: bytes, name: str) -> bytes:
    field = struct.pack("<BL", 1, zlib.crc32(raw)) + name.encode()
    return struct.pack("<HHHHQ", 0x5455, 0, 1, 8, 0) + struct.pack("<HH", 0x7075, len(field)) + field


def test_the_name_that_winrar_adds_in_utf8_is_taken() -> None:
    raw = BOARD.encode("cp932")
    assert checked(raw_zip(raw, extra=unicode_path(raw, BOARD), system=0)).files == (BOARD,)
    assert "old encoding" in refusal(raw_zip(raw, extra=unicode_path(b"another", BOARD), system=0))
    assert "leads out" in refusal(raw_zip(raw, extra=unicode_path(raw, "../x"), system=0))


def test_the_backslashes_of_powershell_5_are_separators() -> None:
    data = raw_zip(b"bot\\main.py", b"bot\\lib\\a.py", b"bot\\empty\\", system=0)
    assert checked(data).files == ("lib/a.py", "main.py")
    assert "leads out" in refusal(raw_zip(b"..\\main.py", system=0))
    assert "backslash" in refusal(raw_zip(b"bot\\main.py", system=3)), "a file of Linux may be called so"
    assert "backslash" in refusal(raw_zip(b"bot\\a/main.py", system=0))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"7z\xbc\xaf\x27\x1c\0\4", "7z"),
        (b"Rar!\x1a\x07\1\0", "RAR"),
        (lzma.compress(b"x"), "xz"),
        (bz2.compress(b"x"), "bzip2"),
    ],
)
def test_another_kind_of_archive_is_named(data: bytes, kind: str) -> None:
    for name in ("bot.zip", f"bot.{kind}"):
        assert f"packed as {kind}" in refusal(data, name)


@in_each_archive
def test_a_nested_archive_stays_a_file(archive: str) -> None:
    assert checked_as(archive, {**MAIN, "inner.zip": zip_of({"x.py": b"1"})}).files == ("inner.zip", "main.py")


# --- Not an archive -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "main.py", "empty"),
        (b"not a zip", "bot.zip", "no zip or tar file"),
        (zip_of({}), "bot.zip", "no zip or tar file"),
        (b"\x7fELF", "bot.exe", "ends in .py"),
        (SOURCE, "MAIN.PY", "ends in .py"),
        (b"PK\x03\x04 and then nothing", "bot.zip", "damaged"),
        (zip_of({"main.py": SOURCE})[:-30], "bot.zip", "damaged"),
        (zip_of({"lib/": b""}), "bot.zip", "holds no file"),
        (b"", "bot.tar", "no zip or tar file"),
        (tar_by_python({}), "bot.tar", "no zip or tar file"),
        (tar_by_python({"lib/": b""}), "bot.tar", "holds no file"),
        (gzip.compress(tar_by_python({}), mtime=0), "bot.tar.gz", "holds no file"),
        (gzip.compress(b"text" * 300, mtime=0), "bot.gz", "damaged"),
        (gzip.compress(tar_by_python(MAIN), mtime=0) + b"more", "bot.tgz", "damaged"),
        (gzip.compress(tar_by_python(MAIN), mtime=0)[:-20], "bot.tgz", "damaged"),
    ],
)
def test_unsuitable_files_are_refused_with_the_reason(data: bytes, name: str, words: str) -> None:
    assert words in refusal(data, name)


def test_zeros_after_a_gzip_stream_are_ignored() -> None:
    assert checked(gzip.compress(tar_by_python(MAIN)) + bytes(512), "bot.tgz") == checked(SOURCE, "main.py")


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tar_is_refused(name: str) -> None:
    data, fault = FORGED[name]
    words = {BadTar: "damaged", StrangeTar: "strange way", NoPlainFile: "“evil” is a link or a device."}[fault]
    assert words in refusal(gzip.compress(data), "bot.tgz")


# --- Names ----------------------------------------------------------------------------------------------------------


@in_each_archive
@pytest.mark.parametrize(
    "name",
    [
        *("../main.py", "./../main.py", "./././main.py", "a/../../main.py", "/etc/passwd", "//main.py", "a//b.py"),
        *("a/./b.py", "..", "C:main.py", "C:/main.py", "main.py:stream", "a\\b.py", "..\\main.py", "a\nb.py"),
        *("a\x1b[31m.py", "nasty\u202eyp.py", "zero\u200bwidth.py", "x" * 201, "é" * 101, "/".join("abcdefghijk")),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str, archive: str) -> None:
    refusal_as(archive, {**MAIN, name: b"x"})


@in_each_archive
@pytest.mark.parametrize("folder", ["../up/", "/abs/", "a\x1b[31m/"])
def test_folder_names_are_checked_as_well(folder: str, archive: str) -> None:
    refusal_as(archive, {**MAIN, folder: b""})


def test_a_name_with_nul_is_refused_not_cut() -> None:
    refusal(zip_of_entries((entry("main.py"), SOURCE), (entry(""), b"x")))
    # ``zipfile`` cuts the name it shows at the NUL, so that this would pass as "main.py".
    data = zip_of({"main.pyX.sh": SOURCE}).replace(b"main.pyX.sh", b"main.py\0.sh")
    refusal(data)


def test_the_name_of_a_single_file_is_checked_too() -> None:
    refusal(SOURCE, "a\u202e.py")


TWICE = (
    *(("main.py", "main.py"), ("main.py", "MAIN.py"), ("straße.py", "STRASSE.py"), ("caf\u00e9.py", "cafe\u0301.py")),
    *(("a", "a/b.py"), ("A", "a/b/c.py")),
)


@pytest.mark.parametrize("names", TWICE)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_are_equal_on_some_system_are_refused(names: tuple[str, str]) -> None:
    refusal(zip_of_entries(*((entry(name), b"x") for name in names)))
    refusal(b"".join(block(b"x", name=name.encode()) for name in names) + END, "bot.tar")


# --- Kinds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_links_and_devices_are_refused(kind: int) -> None:
    told = refusal(zip_of_entries((entry("main.py"), SOURCE), (entry("x", kind | 0o777), b"/etc/passwd")))
    assert told.startswith("“x” is a link or a device. Please pack plain files and folders only;")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_exotic_compression_is_refused(method: int) -> None:
    assert "deflate" in refusal(zip_of({"main.py": SOURCE}, method))


@pytest.mark.parametrize("flag", [0x1, 0x40, 0x2000])
def test_encrypted_archives_are_refused(flag: int) -> None:
    data = bytearray(zip_of({"main.py": SOURCE}))
    central = data.index(b"PK\x01\x02")
    for place in (6, central + 8):
        struct.pack_into("<H", data, place, struct.unpack_from("<H", data, place)[0] | flag)
    assert "password" in refusal(bytes(data))


# --- Bombs ----------------------------------------------------------------------------------------------------------


@in_each_archive
def test_more_entries_than_allowed_are_refused(archive: str) -> None:
    files = {f"{number}.txt": b"" for number in range(ENTRIES_MAX)}
    assert len(checked_as(archive, files).files) == ENTRIES_MAX
    assert "501 entries" in refusal_as(archive, {**files, "x": b""})


def test_a_tar_of_headers_alone_is_read_no_further_than_allowed() -> None:
    assert "far too many" in refusal(gzip.compress(block() * 44_000 + END), "bot.tgz")


def test_a_huge_zip_directory_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: ``zipfile`` parses 100,000 entries or 5 MiB of extra fields for seconds before a check."""
    monkeypatch.setattr(zipfile.ZipInfo, "__init__", lambda *_: pytest.fail("an entry was made"))
    extra = struct.pack("<HH", 1, 0) * 16_000
    for count, name, extra_bytes in ((10_000, b"12345", b""), (10, b"1", extra)):
        entry = _CENTRAL.pack(b"PK\x01\x02", *[0] * 9, len(name), len(extra_bytes), *[0] * 5) + name + extra_bytes
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(entry) * count, 30, 0)
        assert "far too many" in refusal(b"PK\x03\x04" + bytes(26) + entry * count + end)


@pytest.mark.parametrize("pack", [lambda files: zip_of(files, zipfile.ZIP_STORED), tar_by_python])
def test_too_large_together_is_refused(pack: Callable[[Mapping[str, bytes]], bytes]) -> None:
    data = pack({f"{number}.bin": bytes(7 << 20) for number in range(3)})
    assert "21.0 MiB large together; at most 20 MiB" in refusal(data, "bot.tar")


@pytest.mark.parametrize("archive", ["bot.zip", "bot.tgz"])
def test_a_high_ratio_is_refused(archive: str) -> None:
    assert "100 times" in refusal_as(archive, {**MAIN, "zeros": bytes(2 * 1024**2)})
    assert checked_as(archive, {**MAIN, "zeros": bytes(512 * 1024)}).files == ("main.py", "zeros"), "of little"


def refused_in_little_memory(data: bytes, name: str) -> str:
    tracemalloc.start()
    try:
        sentence = refusal(data, name)
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()
    return sentence


def test_a_gzip_that_never_ends_is_read_no_further_than_allowed() -> None:
    assert "inflates to more than 20 MiB" in refused_in_little_memory(gzip.compress(bytes(100 << 20)), "bot.tgz")


def _declare(data: bytes, size: int) -> bytes:
    """Return the zip with another inflated size in both headers of its only entry."""
    changed = bytearray(data)
    struct.pack_into("<I", changed, 22, size)
    struct.pack_into("<I", changed, changed.index(b"PK\x01\x02") + 24, size)
    return bytes(changed)


@pytest.mark.parametrize("size", [0, 10, 999_999, 1_000_001, 1_040_000])
def test_a_wrong_declared_size_is_refused(size: int) -> None:
    data = zip_of({"zeros": bytes(1_000_000)})
    assert "not as large" in refusal(_declare(data, size))


def test_an_entry_is_not_inflated_beyond_its_declared_size() -> None:
    assert "not as large" in refused_in_little_memory(_declare(zip_of({"zeros": bytes(100 << 20)}), 10), "bot.zip")


def test_a_wrong_checksum_is_refused() -> None:
    data = bytearray(zip_of({"main.py": SOURCE}, zipfile.ZIP_STORED))
    data[data.index(SOURCE)] ^= 1
    assert "damaged" in refusal(bytes(data))


def test_entries_that_share_their_bytes_are_refused() -> None:
    """The zip bomb of Fifield (2019): many entries of the directory share one compressed body."""
    data = zip_of({"a.bin": bytes(1_000), "b.bin": bytes(1_000)})
    changed = bytearray(data)
    first, second = (i for i in range(len(data)) if data.startswith(b"PK\x01\x02", i))
    struct.pack_into("<I", changed, second + 42, struct.unpack_from("<I", data, first + 42)[0])
    assert "overlap" in refusal(bytes(changed))


def test_an_entry_that_reaches_into_the_directory_is_refused() -> None:
    changed = bytearray(zip_of({"a.bin": bytes(range(256))}, zipfile.ZIP_STORED))
    central = changed.index(b"PK\x01\x02")
    for place in (18, central + 20):
        struct.pack_into("<I", changed, place, 300)
    assert "overlap" in refusal(bytes(changed))


# --- Random uploads -------------------------------------------------------------------------------------------------

PART = st.text(st.sampled_from("aAb.é\u0301ß/\\:\0\n\u202e~ "), max_size=6)
NAME = st.one_of(
    st.sampled_from(["main.py", "a/b.py", "a", "../x", ".DS_Store"]), st.lists(PART, max_size=4).map("/".join)
)
MODE = st.sampled_from([0, stat.S_IFREG | 0o644, stat.S_IFREG | 0o4755, stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777])
BODY = st.one_of(st.binary(max_size=60), st.just("a bomb"))
METHOD = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
HONEST_NAME = st.from_regex(r"[a-z]{1,8}(\.py|/[a-z]{1,3})", fullmatch=True)


def bundle_or_sentence(data: bytes, name: str = "bot.zip") -> Bundle | None:
    """Return the bundle of an upload, checked to be canonical and within the limits, or None if it was refused."""
    try:
        bundle = checked(data, name)
    except InputError as refused:
        sentence = str(refused)
        if sentence.endswith((".", ").")):  # a whole one
            return None
        raise
    assert bundle.digest == hashlib.sha256(bundle.data).hexdigest()
    with tarfile.open(fileobj=io.BytesIO(bundle.data)) as tar:
        members = tar.getmembers()
    assert bundle.files == tuple(member.name for member in members)
    assert all(one < two for one, two in pairwise(bundle.files))
    assert 0 < len(members) <= ENTRIES_MAX
    assert sum(member.size for member in members) <= TOTAL_MIB << 20
    for member in members:
        assert member.isreg()
        assert (member.mode & ~0o111, member.uid, member.gid, member.mtime) == (0o644, 0, 0, 0)
        assert not {"", ".", ".."} & set(member.name.split("/"))
        assert not set("\\:\0\n\u202e") & set(member.name)
    assert len({unicodedata.normalize("NFC", file).casefold() for file in bundle.files}) == len(bundle.files)
    return bundle


def unpacked(bundle: Bundle, folder: str) -> dict[str, bytes]:
    """Unpack a bundle as a worker does, and return its files."""
    root = Path(folder, "root")
    unpack(bundle.data, root)
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@settings(max_examples=50)
@given(st.lists(st.tuples(NAME, MODE, BODY, METHOD), max_size=6))
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_any_archive_is_a_bundle_or_a_sentence(entries: list[tuple[str, int, bytes | str, int]]) -> None:
    archive = zip_of_entries(
        *(
            (entry(name, mode, compress_type=method), bytes(3 << 20) if body == "a bomb" else body)
            for name, mode, body, method in entries
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        if bundle := bundle_or_sentence(archive):
            assert tuple(sorted(unpacked(bundle, folder))) == bundle.files


@given(st.binary(max_size=200), st.sampled_from(["bot.zip", "main.py", "a\u202e.py", "../x.c", "bot.exe", ""]))
def test_any_bytes_are_a_bundle_or_a_sentence(data: bytes, name: str) -> None:
    bundle_or_sentence(data, name)
    bundle_or_sentence(b"PK\x03\x04" + data, name)
    bundle_or_sentence(gzip.compress(data), "bot.tgz")
    bundle_or_sentence(b"\x1f\x8b" + data, "bot.tgz")
    bundle_or_sentence(data[:257].ljust(257, b"x") + b"ustar" + data, "bot.tar")


@given(st.data(), st.sampled_from([*PACKERS]))
def test_no_mutilated_archive_raises_another_error(data: st.DataObject, archive: str) -> None:
    whole = bytearray(PACKERS[archive]({"main.py": SOURCE * 20, "lib/": b"", "lib/" + "long" * 24: b"y" * 300}))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(4, min(len(whole), 3_000) - 1))] = data.draw(st.integers(0, 255))
    bundle_or_sentence(bytes(whole[: data.draw(st.integers(4, len(whole)))]), archive)


@settings(max_examples=50)
@given(st.dictionaries(HONEST_NAME, st.binary(max_size=99), max_size=6))
def test_honest_files_stay_unchanged_also_when_uploaded_again(files: dict[str, bytes]) -> None:
    files = {"main.py": SOURCE, **files}
    assume(not {name.split("/")[0] for name in files if "/" in name} & set(files))
    bundle = checked(zip_of(files))
    with tempfile.TemporaryDirectory() as folder:
        assert unpacked(bundle, folder) == files
    assert checked(bundle_to_zip(bundle.data)) == bundle


@pytest.mark.parametrize(
    "paths", [["main.py"], ["src/main.c", "a.h"], ["bot/main.py", "bot.txt"], ["src/main.c", "Makefile"]]
)
def test_no_folder_of_a_bot_that_is_given_back_is_lost(paths: list[str]) -> None:
    bundle = bundle_of(ArchiveEntry(path, b"x") for path in paths)
    assert checked(bundle_to_zip(bundle.data)).files == tuple(sorted(paths))
