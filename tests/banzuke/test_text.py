"""Lines and tables for a terminal, files that are there whole or not at all, and failures of files as sentences."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

from banzuke.text import UserError, columns, os_errors_told, say, table, write_whole


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "番付 é\\x1b\n"), ("ascii", "\\u756a\\u4ed8 \\xe9\\x1b\n"), ("latin-1", "\\u756a\\u4ed8 é\\x1b\n")],
)
def test_every_terminal_gets_characters_that_it_can_show(
    encoding: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding))
    say("番付 é\x1b")
    assert raw.getvalue().decode(encoding) == shown


@pytest.mark.parametrize(("text", "width"), [("", 0), ("abc", 3), ("番付", 4), ("ａb", 3), ("é", 1)])
def test_wide_characters_take_two_columns(text: str, width: int) -> None:
    assert columns(text) == width


def test_numbers_are_aligned_to_the_right_and_names_to_the_left() -> None:
    rows = [("bot", "points", "n"), ("番付", "7", "12"), ("a longer name", "1.5", "")]
    assert table(rows).split("\n") == [
        "bot            points   n",
        "番付                7  12",
        "a longer name     1.5",
    ]


def test_rows_may_have_different_lengths() -> None:
    rows = [["1", "ring", "1 : 0", "wall"], ["2", "moat", "has a bye"]]
    assert table(rows, left=9) == "1  ring  1 : 0      wall\n2  moat  has a bye"
    assert table([["alone"]]) == "alone"


def test_a_failure_of_a_file_is_a_sentence_with_its_reason() -> None:
    with pytest.raises(UserError, match=r"^x is away: No such file or directory\.$"), os_errors_told("x is away"):
        Path("/nowhere/x").read_bytes()
    sentence = r"^It failed: Is a directory\. Name another\.$"
    with pytest.raises(UserError, match=sentence) as refused, os_errors_told("It failed", "Name another."):
        Path("/").read_bytes()
    assert isinstance(refused.value.__cause__, IsADirectoryError)


def test_other_errors_pass_unchanged() -> None:
    with pytest.raises(ValueError, match="no number"), os_errors_told("It failed"):
        raise ValueError("no number")
    with pytest.raises(UserError, match=r"^The bot is too large\.$"), os_errors_told("It failed"):
        raise UserError("The bot is too large.")


def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.trf"
    write_whole(path, b"old")
    write_whole(path, b"newer")
    assert (path.read_bytes(), [each.name for each in tmp_path.iterdir()]) == (b"newer", ["results.trf"])

    def full(file: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match=r"^The replay .*results\.trf cannot be written: No space left on device\.$"):
        write_whole(path, b"newest", "The replay ")
    assert path.read_bytes() == b"newer"
