"""Every attack of an uploaded tar, and what an honest one becomes."""

from __future__ import annotations

import gzip
import io
import subprocess
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import InputError
from ladder.files import tars
from ladder.files.archives import ArchiveLimits
from ladder.files.tars import tar_entries
from tests.ladder.makers import SOURCE, zip_of
from tests.ladder.test_bundles import bundle_or_sentence, checked, refusal

FORMATS = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}
MAIN = {"main.py": SOURCE}


def tar_of(files: dict[str, bytes], kind: int = tarfile.PAX_FORMAT, *, mode: int = 0o644, gz: bool = False) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz" if gz else "w", format=kind) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name.rstrip("/"))
            member.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            member.size, member.mode = len(content), mode
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def header_changed(data: bytes, at: int, **fields: bytes) -> bytes:
    """Write fields of the header at a place anew, with its checksum."""
    places = {"name": (0, 100), "size": (124, 12), "kind": (156, 1)}
    header = bytearray(data[at : at + 512])
    for field, value in fields.items():
        start, length = places[field]
        header[start : start + length] = value.ljust(length, b"\0")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return data[:at] + bytes(header) + data[at + 512 :]


# --- Honest uploads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("kind", FORMATS.values(), ids=FORMATS)
def test_a_tar_makes_the_same_bundle_as_a_zip(kind: int, gz: bool) -> None:
    files = {**MAIN, "lib/table.txt": b"1" * 700, "lib/empty": b"", "lib/" + "deep/" * 3 + "long" * 24: b"x"}
    data = tar_of({"lib/": b"", **files}, kind, gz=gz)
    assert checked(data, "bot.tar.gz" if gz else "bot.tar") == checked(zip_of(files))


@pytest.mark.parametrize("options", [["-cf"], ["-czf"], ["--format=pax", "-czf"], ["--format=v7", "-czf"]])
@pytest.mark.parametrize("what", [".", "bot", "main.py"])
def test_what_tar_makes_is_taken(options: list[str], what: str, tmp_path: Path) -> None:
    if what == "bot" or what == ".":
        (tmp_path / "bot").mkdir()
    folder = tmp_path / "bot" if what != "main.py" else tmp_path
    (folder / "main.py").write_bytes(SOURCE)
    packed = tmp_path / "packed"
    subprocess.run(["tar", *options, packed, what], cwd=folder if what != "bot" else tmp_path, check=True)
    assert checked(packed.read_bytes(), "bot.tgz") == checked(SOURCE, "main.py")


def test_what_git_archives_is_taken(tmp_path: Path) -> None:
    """It says of all files which commit they are of."""
    git = ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    (tmp_path / "main.py").write_bytes(SOURCE)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    done = subprocess.run([*git, "archive", "--format=tar.gz", "HEAD"], check=True, stdout=subprocess.PIPE)
    assert checked(done.stdout, "bot.tar.gz") == checked(SOURCE, "main.py")


def test_what_the_tar_of_macos_adds_is_left_out() -> None:
    added = {"./._main.py": b"\0\5\x16\7", "./Icon\r": b"", "./.DS_Store": b"x"}
    assert checked(tar_of({"./": b"", **added, "./main.py": SOURCE}), "bot.tar").files == ("main.py",)


def test_executable_files_stay_executable() -> None:
    entries, _ = tar_entries(tar_of({"run.sh": b"#!/bin/sh\n"}, mode=0o755))
    assert entries[0].executable
    assert not tar_entries(tar_of(MAIN))[0][0].executable


def test_names_of_any_script_are_taken() -> None:
    assert checked(tar_of({"番付.py": SOURCE}), "bot.tar").files == ("番付.py",)


def test_a_program_may_hold_the_word_by_which_tars_are_known() -> None:
    source = b"#" * 257 + b"ustar\n"
    assert checked(source, "main.py").files == ("main.py",)


# --- What is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["../main.py", "./../main.py", "/etc/passwd", "a/../../b", "./././main.py", "a//b", "a\\b", "C:x", "a\nb", ".."],
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    refusal(tar_of({**MAIN, name: b"x"}), "bot.tar")


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_names_in_another_encoding_are_refused_with_the_remedy(kind: int) -> None:
    told = refusal(tar_of(MAIN | {"\udc83\\.py": b"x"}, kind), "bot.tar")
    assert "old encoding" in told
    assert "tar -czf" in told


@pytest.mark.parametrize("folder", ["../up/", "/abs/", "a\x1b[31m/"])
def test_folder_names_are_checked_as_well(folder: str) -> None:
    refusal(tar_of({**MAIN, folder: b""}), "bot.tar")


def test_a_file_twice_is_refused() -> None:
    data = tar_of(MAIN)[:1024] + tar_of({"MAIN.py": b"other"})
    assert "twice" in refusal(data, "bot.tar")


KINDS = {
    "hard link": tarfile.LNKTYPE,
    "symbolic link": tarfile.SYMTYPE,
    "character device": tarfile.CHRTYPE,
    "block device": tarfile.BLKTYPE,
    "pipe": tarfile.FIFOTYPE,
    "file with holes": tarfile.GNUTYPE_SPARSE,
    "contiguous file": tarfile.CONTTYPE,
    "long link": tarfile.GNUTYPE_LONGLINK,
    "tape's label": b"V",
    "nothing known": b"Z",
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_what_is_no_plain_file_is_refused_by_its_name(kind: bytes) -> None:
    data = tar_of({"evil": b"", **MAIN})
    told = refusal(header_changed(data, 0, kind=kind), "bot.tar")
    assert told.startswith("“evil” is a link or a device. Please pack plain files and folders only;")


@pytest.mark.parametrize("header", [{"size": "10"}, {"GNU.sparse.major": "1", "GNU.sparse.name": "x"}])
def test_two_sizes_of_one_file_are_refused(header: dict[str, str]) -> None:
    """The attack: a check that goes by one and a reader that goes by the other see different files."""
    member = tarfile.TarInfo("main.py")
    member.pax_headers = header
    member.size = 20
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(member, io.BytesIO(bytes(20)))
    assert "strange way" in refusal(buffer.getvalue(), "bot.tar")


def test_a_word_about_a_file_without_measure_is_refused_at_once() -> None:
    """The attack: CVE-2024-6232, time that grows with the square of what is said of a file."""
    member = tarfile.TarInfo("main.py")
    member.pax_headers = {"comment": "1" * 5_000_000}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(member)
    assert "strange way" in refusal(gzip.compress(buffer.getvalue()), "bot.tgz")


def named(kind: bytes, content: bytes) -> bytes:
    """A block that tells more of the next entry."""
    block = tar_of({"name": content}, tarfile.USTAR_FORMAT)[: 512 * (1 + -(-len(content) // 512))]
    return header_changed(block, 0, kind=kind)


@pytest.mark.parametrize(
    "content",
    [
        b"2 " * 32_000 + b"=",
        b"1" * 65_000,
        b"9 path=a",
        b"08 path=\n",
        b"0 path=a\n",
        b"-9 path=a\n",
        b"7 path\n",
        b"99 path=a\n",
    ],
    ids=["overlapping", "digits", "no end", "too short", "nothing", "backwards", "no value", "too long"],
)
@pytest.mark.parametrize("kind", [b"x", b"g"])
def test_a_word_about_a_file_that_is_none_is_refused(content: bytes, kind: bytes) -> None:
    """The attack: of 64 KiB of this ``tarfile`` makes a gigabyte, or searches it for seconds; and so of many."""
    assert "damaged" in refusal(gzip.compress(named(kind, content) + tar_of(MAIN)), "bot.tgz")


@pytest.mark.parametrize("kind", [b"x", b"L", b"g"])
def test_words_about_words_are_refused(kind: bytes) -> None:
    """The attack: ``tarfile`` calls itself for each."""
    told = {b"x": b"9 path=a\n", b"g": b"9 path=a\n", b"L": b"a"}[kind]
    assert "strange way" in refusal(named(kind, told) * 400 + tar_of(MAIN), "bot.tar")
    assert "damaged" in refusal(named(kind, told) + bytes(1024), "bot.tar"), "about nothing"


def test_two_names_of_one_file_are_refused() -> None:
    assert "strange way" in refusal(named(b"x", b"9 path=a\n") + named(b"L", b"b") + tar_of(MAIN), "bot.tar")


def test_words_without_measure_about_many_files_are_refused() -> None:
    word = named(b"x", b"%d comment=%s\n" % (10_015, b"1" * 10_000))
    assert checked((word + tar_of(MAIN)[:1024]), "bot.tar").files == ("main.py",)
    many = b"".join(word + tar_of({f"{number}.py": b""})[:512] for number in range(120))
    assert "strange way" in refusal(gzip.compress(many), "bot.tgz")


def test_a_name_for_all_files_counts_for_none() -> None:
    assert checked(named(b"g", b"9 path=a\n") + tar_of(MAIN), "bot.tar").files == ("main.py",)


@pytest.mark.parametrize(
    "size", [b"\x80" + b"\0" * 10 + b"\x05", b"\xff" * 12, b"-5", b"0x10", b"", b"9", b"1 2", b"\0" + b"0000001000"]
)
def test_a_size_in_no_octal_digits_is_refused(size: bytes) -> None:
    """The attack: CVE-2025-8194, a negative size leads back to where the reader has been, for ever."""
    assert "damaged" in refusal(header_changed(tar_of(MAIN), 0, size=size), "bot.tar")


@pytest.mark.parametrize("kind", [b"5", b"\0"])
def test_a_folder_with_content_is_refused(kind: bytes) -> None:
    """The attack: some readers skip what it holds, and some take it for more entries."""
    data = tar_of({"lib/": b"", **MAIN})
    assert "damaged" in refusal(header_changed(data, 0, kind=kind, name=b"lib/", size=b"1000"), "bot.tar")


def test_a_file_behind_a_broken_header_is_missed() -> None:
    """Where ``tarfile`` makes an end without a word."""
    data = bytearray(tar_of({"a.py": SOURCE, **MAIN}))
    data[1024 + 148 : 1024 + 156] = b"000000\0 "
    assert "damaged" in refusal(bytes(data), "bot.tar")


@pytest.mark.parametrize("left", [300, 511, 600, 1_000])
def test_half_a_tar_is_refused(left: int) -> None:
    data = tar_of({"main.py": bytes(2_000)})
    packed = gzip.compress(data)
    refusal(data[:left], "bot.tar")
    refusal(gzip.compress(data[:left]), "bot.tar.gz")
    refusal(packed[: len(packed) * left // 1_001], "bot.tar.gz")


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "bot.tar", "no zip or tar file"),
        (b"not a tar", "bot.tgz", "no zip or tar file"),
        (tar_of({}), "bot.tar", "no zip or tar file"),
        (tar_of({"lib/": b""}), "bot.tar", "holds no file"),
        (gzip.compress(tar_of({}), mtime=0), "bot.tar.gz", "holds no file"),
        (gzip.compress(b"text" * 300, mtime=0), "bot.gz", "damaged"),
        (gzip.compress(tar_of(MAIN), mtime=0) + b"more", "bot.tgz", "damaged"),
        (gzip.compress(tar_of(MAIN), mtime=0) + gzip.compress(tar_of(MAIN)), "bot.tgz", "damaged"),
        (b"\x1f\x8b" + b"x" * 50, "bot.tgz", "damaged"),
    ],
)
def test_what_is_no_tar_is_refused(data: bytes, name: str, words: str) -> None:
    assert words in refusal(data, name)


def test_what_stands_behind_a_gzip_as_on_a_tape_does_no_harm() -> None:
    assert checked(gzip.compress(tar_of(MAIN)) + bytes(512), "bot.tgz") == checked(SOURCE, "main.py")


# --- Bombs ----------------------------------------------------------------------------------------------------------


def test_a_gzip_that_never_ends_is_read_no_further_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = tars.zlib.decompressobj

    class Watched:
        def __init__(self, bits: int) -> None:
            self.real = real(bits)

        def decompress(self, data: bytes, length: int) -> bytes:
            made.append(length)
            return self.real.decompress(data, length)

    monkeypatch.setattr(tars.zlib, "decompressobj", Watched)
    assert "inflates to more than 20 MiB" in refusal(gzip.compress(bytes(60 << 20)), "bot.tgz")
    assert len(made) == 1
    assert made[0] < 25 << 20


def test_a_high_ratio_is_refused() -> None:
    assert "100 times" in refusal(tar_of({"main.py": bytes(5 << 20)}, gz=True), "bot.tgz")


def test_more_files_than_allowed_are_refused() -> None:
    files = {f"{number}.txt": b"" for number in range(501)}
    assert "501 entries" in refusal(tar_of(files, gz=True), "bot.tgz")


def test_too_large_together_is_refused() -> None:
    files = {f"{number}.bin": bytes(7 << 20) for number in range(3)}
    assert "21.0 MiB" in refusal(tar_of(files), "bot.tar")


def test_the_limits_can_be_narrowed() -> None:
    with pytest.raises(InputError, match="at most 1"):
        tar_entries(tar_of({"a": b"", "b": b""}), ArchiveLimits(entries_max=1))


# --- Any ------------------------------------------------------------------------------------------------------------

CONTENT = {"main.py": SOURCE * 20, "lib/": b"", "lib/" + "long" * 24: b"y" * 300}


@given(st.data(), st.sampled_from([*FORMATS.values()]))
def test_no_mutilated_tar_brings_it_down(data: st.DataObject, kind: int) -> None:
    whole = bytearray(tar_of(CONTENT, kind))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, 3_000))] = data.draw(st.integers(0, 255))
    bundle_or_sentence(bytes(whole[: data.draw(st.integers(300, len(whole)))]), "bot.tar")


@given(st.data(), st.sampled_from([*FORMATS.values()]))
def test_no_header_with_a_right_checksum_brings_it_down(data: st.DataObject, kind: int) -> None:
    whole = tar_of(CONTENT, kind)
    places = [at for at in range(0, 4_096, 512) if whole[at + 257 : at + 262] == b"ustar"]
    fields = {
        "name": st.binary(max_size=100),
        "size": st.one_of(st.integers(0, 9_999).map(lambda size: b"%011o" % size), st.binary(max_size=12)),
        "kind": st.sampled_from([*b"0123456789gxLKSVDNA\0"]).map(lambda kind: bytes([kind])),
    }
    for field in data.draw(st.lists(st.sampled_from([*fields]), min_size=1, max_size=4)):
        at = data.draw(st.sampled_from(places))
        whole = header_changed(whole, at, **{field: data.draw(fields[field])})
    bundle_or_sentence(whole, "bot.tar")


@settings(max_examples=50)
@given(st.binary(max_size=400))
def test_any_bytes_are_a_bundle_or_a_sentence(data: bytes) -> None:
    bundle_or_sentence(gzip.compress(data), "bot.tgz")
    bundle_or_sentence(b"\x1f\x8b" + data, "bot.tgz")
    bundle_or_sentence(data[:257].ljust(257, b"x") + b"ustar" + data, "bot.tar")
