"""The simulation of newcomers: their ratings settle soon and do not change those of older bots."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.studies.ladder import SimulatedLeague
from tests.studies.newcomers import _pair_arrives, newcomers_study
from tests.studies.rating import main


def test_newcomers_settle_soon_and_change_no_other_rating() -> None:
    found = newcomers_study(bots=40, matches_per_bot=40, pairs=2, seed=3)
    assert 30 <= found["fresh"] <= found["fresh_most"] <= 70
    assert 15 <= found["inherited"] <= found["inherited_most"] <= 45
    assert found["inherited"] < found["fresh"]
    assert 0 < abs(found["drift"]) < 20, "four newcomers play a sixth of the matches of so small a league"
    assert found["anchor_drift"] == 0


def test_a_new_version_never_meets_its_predecessor() -> None:
    league = SimulatedLeague(10, np.random.default_rng(1), parents={11: 3}, newcomers=2)
    league.play(until=50)
    left = sum(3 in seating for seating, _ in league.in_flight)
    games = int(league.games[3])
    _pair_arrives(league, parent=3)
    assert league.games[11] > 0
    assert league.met[11][3] == 0
    assert league.games[3] <= games + left, "what was in flight is played to its end"


def test_the_command_line_prints_a_line_on_newcomers(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--bots", "10", "--matches-per-bot", "10", "--seed", "5", "--newcomers", "1"]
    assert main(["simulate", *arguments]) == 0
    season, newcomers = map(json.loads, capsys.readouterr().out.splitlines())
    assert season["matches_per_bot"] == 10
    assert newcomers["fresh"] > 0
