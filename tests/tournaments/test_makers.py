"""The makers of tests put tournaments of each state into the database that the site's own selectors can read."""

from __future__ import annotations

import pytest

from matches.models import Match
from tests.tournaments.makers import make_tournament
from tournaments.models import Tournament
from tournaments.selectors.loading import tournament_told

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("state", Tournament.State.values)
@pytest.mark.parametrize("results", Tournament.Results.values)
def test_makers_reach_each_state(state: str, results: str) -> None:
    tournament = make_tournament(state, results=results)
    told = tournament_told(tournament=tournament, reader=None)
    assert len(told.rows) == (4 if tournament.is_drawn else 0)
    assert Match.objects.filter(is_hidden=True).exists() == (
        results != "at_once" and state in ("running", "paused", "finished")
    )
    if state == "released":
        assert [each.winner for each in told.decided] == [1, 2, 1]
