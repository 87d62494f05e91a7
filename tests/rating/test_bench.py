"""The benchmark of fits runs, and its seasons are played from all seats."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rating.__main__ import main
from rating.bench import _season


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


def test_players_that_are_no_number_are_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["bench", "--players", "two"])
    assert "'two' is no whole number" in capsys.readouterr().err


@pytest.mark.parametrize("players", [2, 3, 4])
def test_its_seasons_are_played_from_all_seats(players: int) -> None:
    season = _season(bots=40, matches=600, players=players, rng=np.random.default_rng(1))
    assert season.players.shape == season.ranks.shape == (600 // players * players, players)
    assert all(len(set(row)) == players for row in season.players.tolist())
    for seat in range(1, players):
        counts = [np.bincount(season.players[:, s], minlength=40).tolist() for s in (0, seat)]
        assert counts[0] == counts[1]
