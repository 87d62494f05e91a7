"""Plays tournaments in tests: workers are functions of the strength of entrants."""

from __future__ import annotations

from typing import Any

from matches.models import Match
from tests.tournaments.makers import finish_by_strength, make_tournament
from tournaments.models import Tournament
from tournaments.services.stepping import tournament_step
from tournaments.services.tournaments import tournament_draw, tournament_start


def begin(*, stages: list[dict[str, Any]] | None = None, entrants: int = 4, **fields: Any) -> Tournament:
    """Draw and start a tournament of rated bots; without stages, a knockout."""
    chosen = {} if stages is None else {"stages": stages}
    tournament = make_tournament("open", entrants=entrants, lots=7, **chosen, **fields)
    tournament_draw(tournament=tournament.pk, actor=None)
    tournament_start(tournament=tournament.pk, actor=None)
    tournament.refresh_from_db()
    return tournament


def waiting(tournament: Tournament) -> list[Match]:
    """Return the matches of a tournament that wait for a worker."""
    mine = Match.objects.filter(table_match__table__round__tournament=tournament, state=Match.State.QUEUED)
    return list(mine.order_by("pk"))


def strength_of(tournament: Tournament) -> dict[int, float]:
    """Return the strength of each version: the better seed number wins."""
    return {row.version_id: -float(row.number or 0) for row in tournament.entrants.all()}


def play_out(tournament: Tournament, *, rounds: int = 1_000) -> None:
    """Finish all matches as they come until the tournament stops, or so many times at most."""
    strength = strength_of(tournament)
    while (matches := waiting(tournament)) and rounds:
        rounds -= 1
        for match in matches:
            finish_by_strength(match, strength)
        tournament_step(tournament=tournament.pk)
    tournament.refresh_from_db()


def result_of(tournament: Tournament) -> list[Any]:
    """Return all that a tournament's rows say of its results, without keys and moments."""
    rows = []
    for round_ in tournament.rounds.order_by("stage", "number"):
        for table in round_.tables.order_by("number"):
            seats = list(table.seats.order_by("index").values_list("entrant__number", "points", "games"))
            matches = table.matches.order_by("encounter", "rotation", "attempt")
            played = list(matches.values_list("encounter", "rotation", "attempt", "match__seed", "match__state"))
            rows.append((round_.stage, round_.number, table.number, table.group, table.outcome, seats, played))
    return [rows, list(tournament.entrants.order_by("number").values_list("number", "place"))]
