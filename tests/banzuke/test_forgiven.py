"""Answers that a game forgives are counted and the first is quoted; otherwise the bot would only look weak."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.banzuke.conftest import Run
from tests.banzuke.makers import MUMBLER


@pytest.fixture
def mumbler(tmp_path: Path) -> Path:
    path = tmp_path / "bots" / "mumbler.py"
    path.parent.mkdir()
    path.write_text(MUMBLER)
    return path


def test_a_match_counts_forgiven_answers_and_quotes_the_first(
    banzuke: Run, mumbler: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert banzuke("play", "attack25", "house:random", mumbler, "--seed", 1) == 0
    reported = [line for line in capsys.readouterr().out.splitlines() if "not understood" in line]
    assert reported == ["Seat 1: 3 answers were not understood, or not allowed; the first, in turn 1: 'BID 5'."]


def test_a_league_counts_forgiven_answers_of_all_matches(
    banzuke: Run, mumbler: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mumbler.parent / "other.py").write_text(MUMBLER.replace("BID 5", "0"))
    command = ("league", "attack25", mumbler.parent, "--players", 2, "--seeds", 1, "--parallel", 1)
    for _ in range(2):  # the second time from the log
        assert banzuke(*command) == 0
        out = capsys.readouterr().out
        assert "mumbler.py: in 2 of 2 matches answers were not understood, or not allowed, 6 in all;" in out
        assert "the first: 'BID 5'.\n  To see it: banzuke play attack25" in out
