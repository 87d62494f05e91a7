"""Every attack of an uploaded archive, and what an honest one becomes."""

from __future__ import annotations

import contextlib
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.archives import ArchiveLimits, zip_entries
from ladder.bundles import Bundle, bundle_check
from ladder.errors import InputError
from tests.ladder.makers import SOURCE, zip_of


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


def zip_of_entries(*entries: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for info, content in entries:
            archive.writestr(info, content)
    return buffer.getvalue()


# --- Honest uploads -------------------------------------------------------------------------------------------------


def test_one_source_file_becomes_a_tar_of_it() -> None:
    bundle = checked(SOURCE, "my bot.py")
    with tarfile.open(fileobj=io.BytesIO(bundle.data)) as tar:
        (member,) = tar.getmembers()
        assert (member.name, member.mode, member.mtime, member.uid) == ("my bot.py", 0o644, 0, 0)
        assert tar.extractfile(member).read() == SOURCE  # type: ignore[union-attr]


def test_the_same_files_give_the_same_digest_however_they_were_packed() -> None:
    one = checked(zip_of({"main.py": SOURCE, "a/b.txt": b"x"}))
    two = checked(zip_of({"a/b.txt": b"x", "main.py": SOURCE}, zipfile.ZIP_STORED))
    assert one.digest == two.digest
    assert one.files == ("a/b.txt", "main.py")


def test_the_folder_round_everything_is_dropped() -> None:
    assert checked(zip_of({"mybot/main.py": SOURCE, "mybot/lib/x.py": b"1"})).files == ("lib/x.py", "main.py")


def test_what_file_managers_add_is_left_out() -> None:
    junk = {"mybot/.DS_Store": b"x", "__MACOSX/mybot/._main.py": b"x", "mybot/main.py": SOURCE}
    assert checked(zip_of(junk)).files == ("main.py",)


def test_folders_of_the_archive_do_no_harm() -> None:
    assert checked(zip_of({"lib/": b"", "lib/x.py": b"1", "main.py": SOURCE})).files == ("lib/x.py", "main.py")


def test_executable_files_stay_executable() -> None:
    bundle = checked(zip_of_entries((entry("run.sh", stat.S_IFREG | 0o755), b"#!/bin/sh\n")))
    with tarfile.open(fileobj=io.BytesIO(bundle.data)) as tar:
        assert tar.getmember("run.sh").mode == 0o755


def test_names_of_any_script_are_taken() -> None:
    assert checked(zip_of({"main.py": SOURCE, "番付.txt": b"x"})).files == ("main.py", "番付.txt")


def test_a_nested_archive_stays_a_file() -> None:
    assert checked(zip_of({"main.py": SOURCE, "inner.zip": zip_of({"x.py": b"1"})})).files == ("inner.zip", "main.py")


# --- Not an archive -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "main.py", "empty"),
        (b" \n", "main.py", "empty"),
        (b"not a zip", "bot.zip", "no zip file"),
        (zip_of({}), "bot.zip", "no zip file"),
        (b"\x7fELF", "bot.exe", "ends in .py"),
        (b"PK\x03\x04 and then nothing", "bot.zip", "damaged"),
        (zip_of({"main.py": SOURCE})[:-30], "bot.zip", "damaged"),
        (zip_of({"lib/": b""}), "bot.zip", "holds no file"),
        (zip_of({".DS_Store": b"x"}), "bot.zip", "holds no file"),
    ],
)
def test_what_is_no_upload_is_refused(data: bytes, name: str, words: str) -> None:
    assert words in refusal(data, name)


# --- Names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "../main.py",
        "a/../../main.py",
        "/etc/passwd",
        "//main.py",
        "a//b.py",
        "./main.py",
        "a/./b.py",
        "..",
        "C:main.py",
        "C:/main.py",
        "main.py:stream",
        "a\\b.py",
        "..\\main.py",
        "a\nb.py",
        "a\x1b[31m.py",
        "nasty\u202eyp.py",
        "zero\u200bwidth.py",
        "x" * 201,
        "é" * 101,
        "/".join("abcdefghijk"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    refusal(zip_of({"main.py": SOURCE, name: b"x"}))


def test_folder_names_are_checked_as_well() -> None:
    refusal(zip_of({"main.py": SOURCE, "../up/": b""}))


def test_a_name_with_nul_is_refused_not_cut() -> None:
    # ``zipfile`` cuts the name it shows at the NUL, so that this would pass as "main.py".
    data = zip_of({"main.pyX.sh": SOURCE}).replace(b"main.pyX.sh", b"main.py\0.sh")
    refusal(data)


def test_the_name_of_a_single_file_is_checked_too() -> None:
    refusal(SOURCE, "a\u202e.py")


@pytest.mark.parametrize(
    "names",
    [
        ("main.py", "main.py"),
        ("main.py", "MAIN.py"),
        ("straße.py", "STRASSE.py"),
        ("caf\u00e9.py", "cafe\u0301.py"),
        ("a", "a/b.py"),
        ("A", "a/b/c.py"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_are_one_on_some_system_are_refused(names: tuple[str, str]) -> None:
    refusal(zip_of_entries(*((entry(name), b"x") for name in names)))


# --- Kinds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_links_and_devices_are_refused(kind: int) -> None:
    assert "link" in refusal(zip_of_entries((entry("main.py"), SOURCE), (entry("x", kind | 0o777), b"/etc/passwd")))


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


def test_more_entries_than_allowed_are_refused() -> None:
    limit = ArchiveLimits().entries_max
    assert len(checked(zip_of({f"{i}.txt": b"" for i in range(limit)})).files) == limit
    assert "501" in refusal(zip_of({f"{i}.txt": b"" for i in range(limit + 1)}))


def test_too_large_together_is_refused() -> None:
    noise = zlib.compress(b"")  # any bytes
    data = zip_of({f"{i}.bin": noise * 2_000_000 for i in range(2)}, zipfile.ZIP_STORED)
    assert "at most 20 MiB" in refusal(data)


def test_a_high_ratio_is_refused() -> None:
    assert "100 times" in refusal(zip_of({"main.py": SOURCE, "zeros": bytes(2 * 1024**2)}))


def test_a_high_ratio_of_little_is_no_bomb() -> None:
    assert checked(zip_of({"main.py": SOURCE, "zeros": bytes(512 * 1024)})).files == ("main.py", "zeros")


def _declare(data: bytes, size: int) -> bytes:
    """Write another inflated size into both headers of the only entry."""
    changed = bytearray(data)
    struct.pack_into("<I", changed, 22, size)
    struct.pack_into("<I", changed, changed.index(b"PK\x01\x02") + 24, size)
    return bytes(changed)


@pytest.mark.parametrize("size", [0, 10, 999_999, 1_000_001, 1_040_000])
def test_a_wrong_declared_size_is_refused(size: int) -> None:
    data = zip_of({"zeros": bytes(1_000_000)})
    assert "not as large" in refusal(_declare(data, size))


def test_a_liar_is_not_inflated_beyond_what_it_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = zlib.decompressobj

    class Spy:
        def __init__(self, wbits: int) -> None:
            self._real = real(wbits)

        def decompress(self, data: bytes, limit: int) -> bytes:
            asked.append(limit)
            out = self._real.decompress(data, limit)
            assert len(out) <= limit
            return out

        def __getattr__(self, name: str) -> object:
            return getattr(self._real, name)

    monkeypatch.setattr("ladder.archives.zlib.decompressobj", Spy)
    refusal(_declare(zip_of({"zeros": bytes(5_000_000)}), 10))
    assert asked == [11]


def test_a_wrong_checksum_is_refused() -> None:
    data = bytearray(zip_of({"main.py": SOURCE}, zipfile.ZIP_STORED))
    data[data.index(SOURCE)] ^= 1
    assert "damaged" in refusal(bytes(data))


def test_entries_that_share_their_bytes_are_refused() -> None:
    """The bomb of Fifield 2019: many entries of the directory point into one body."""
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


@given(st.data())
def test_no_mutilated_archive_brings_it_down(data: st.DataObject) -> None:
    """Whatever the bytes: a bundle or a sentence, never another exception."""
    whole = bytearray(zip_of({"main.py": SOURCE * 20, "lib/x.txt": b"y" * 300}))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(InputError):
        bundle = checked(bytes(whole[: data.draw(st.integers(4, len(whole)))]))
        assert all(one < two for one, two in pairwise(bundle.files))


def test_the_limits_can_be_narrowed() -> None:
    with pytest.raises(InputError, match="at most 1"):
        zip_entries(zip_of({"a": b"", "b": b""}), ArchiveLimits(entries_max=1))
