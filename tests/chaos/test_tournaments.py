"""Tournaments end as without disturbance while workers, managers and the broker are killed; each table once."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from deploy.servers import postgres_possible
from tests.chaos.tournaments import MATCHES_A_KILL_SMALL, SMALL, differences, storm

pytestmark = [pytest.mark.timeout(600), pytest.mark.waits, pytest.mark.test_all]


def test_two_tournaments_in_a_storm_end_as_without_disturbance() -> None:
    if not postgres_possible():
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    lines: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tournaments-") as name:
        Path(name).chmod(0o711)  # the database's account must be able to reach its folder
        found = storm(Path(name), SMALL, matches_a_kill=MATCHES_A_KILL_SMALL, seed=1, told=lines.append)
    tournaments = found.pop("tournaments")
    assert [differences(tournament) for tournament in tournaments.values()] == [[], []], found
    assert {slug: tournament["state"] for slug, tournament in tournaments.items()} == {
        "double": "finished",  # its results wait for the ceremony
        "swiss": "released",
    }
    assert (found["decided once"], found["decided again"], found["changed"]) == (found["tables"], 0, []), found
    assert (found["results twice"], found["matches outside"]) == (0, 0), found
    assert set(found["matches"]) == {"finished", "void"}, found
    assert found["places of void matches"] == found["matches"]["void"], found
    assert set(found["kills"]) == {"worker", "manager", "timetable", "broker"}, found
