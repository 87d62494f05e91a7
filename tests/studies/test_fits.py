"""The benchmark of fits runs, and its seasons are played from all seats."""

from __future__ import annotations

import json

import pytest

from tests.studies.rating import main


def test_it_prints_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "--bots", "50", "--matches", "3000"]
    assert main(arguments) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert main([*arguments, "--players", "3", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["what"] for row in rows] == ["full", "warm"]
    assert all(row["seconds"] >= 0 and row["memory_mib"] > 0 and row["players"] == 3 for row in rows)


@pytest.mark.parametrize("few", [["--bots", "3", "--matches", "2000"], ["--matches", "3"]])
def test_too_few_bots_or_matches_are_refused_in_words(few: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--players", "4", *few]) == 2
    assert capsys.readouterr() == ("", "A season of 4 players wants at least 4 bots and 4 matches.\n")
