"""A step plays a tournament on from its rows alone, so it may be repeated and killed anywhere."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Match
from tests.tournaments.makers import finish_by_strength, make_tournament
from tournaments.models import Table, Tournament
from tournaments.services.stepping import tournament_step
from tournaments.services.tournaments import tournament_draw, tournament_start

pytestmark = pytest.mark.django_db

State = Tournament.State
DOUBLE = [{"format": "double_elimination", "best_of": 3}]
SWISS = [{"format": "swiss", "rounds": 3, "best_of": 2}]
CHAIN = [
    {"format": "round_robin", "groups": 2, "goes_on": 4},
    {"format": "single_elimination", "third_place": True},
]


def begin(stages: list[dict[str, Any]], *, entrants: int = 8, **fields: Any) -> Tournament:
    """Draw and start a tournament of rated bots."""
    tournament = make_tournament(State.OPEN, entrants=entrants, stages=stages, lots=7, **fields)
    tournament_draw(tournament=tournament.pk, actor=None)
    tournament_start(tournament=tournament.pk, actor=None)
    tournament.refresh_from_db()
    return tournament


def waiting() -> list[Match]:
    return list(Match.objects.filter(state=Match.State.QUEUED).order_by("pk"))


def strength_of(tournament: Tournament) -> dict[int, float]:
    """Return the strength of each version: the better seed number wins."""
    return {row.version_id: -float(row.number or 0) for row in tournament.entrants.all()}


def play_out(tournament: Tournament) -> None:
    """Finish all matches as they come, by seed number, until the tournament stops."""
    strength = strength_of(tournament)
    while matches := waiting():
        for match in matches:
            finish_by_strength(match, strength)
        tournament_step(tournament=tournament.pk)
    tournament.refresh_from_db()


@pytest.mark.parametrize("stages", [DOUBLE, SWISS, CHAIN], ids=["double", "swiss", "chain"])
@pytest.mark.parametrize("entrants", [5, 8])
def test_a_tournament_is_played_to_its_end(stages: list[dict[str, Any]], entrants: int) -> None:
    tournament = begin(stages, entrants=entrants)
    play_out(tournament)
    assert tournament.state == State.RELEASED
    places = list(tournament.entrants.order_by("number").values_list("place", flat=True))
    assert places[0] == 1
    assert None not in places
    assert not Table.objects.filter(outcome="").exists()
    assert not Match.objects.exclude(kind="tournament", queue_class="tournament", is_hidden=False).exists()
