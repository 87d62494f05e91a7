"""A step of a tournament that is killed, doubled or disturbed changes nothing in how the tournament ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from core.message import said
from formats import model
from matches.models import Match
from matches.services.lifecycle import matches_void
from tests.at_once import while_uncommitted
from tests.tournaments.makers import finish, make_tournament
from tests.tournaments.undisturbed import Undisturbed, ranks_of
from tournaments.models import Round, Table, TableMatch, TableSeat, Tournament
from tournaments.selectors.loading import tournament_whole
from tournaments.services.stepping import tournament_step
from tournaments.services.tournaments import tournament_draw, tournament_start

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.test_all]

DOUBLE = {"format": "double_elimination", "best_of": 3}
SWISS = {"format": "swiss", "rounds": 1, "best_of": 1, "goes_on": 3}


class Killed(BaseException):
    """The process ends here."""


@contextmanager
def killed_at(statement: int) -> Iterator[None]:
    """Kill what runs in the block before it executes its so-manieth statement, from 0."""
    numbers = count()

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.split()[0] in ("INSERT", "UPDATE", "DELETE", "SELECT") and next(numbers) == statement:
            raise Killed
        return run(sql, *rest)

    with connection.execute_wrapper(execute):
        yield


def rows() -> list[Any]:
    """Return all rows that a step may write."""
    models = (Tournament, Round, Table, TableSeat, TableMatch, Match)
    return [list(each.objects.order_by("pk").values_list()) for each in models]


def running(*stages: dict[str, Any], bots: int = 6) -> Tournament:
    """Make a tournament that has been drawn and started."""
    tournament = make_tournament(Tournament.State.OPEN, entrants=bots, stages=list(stages))
    tournament_draw(tournament=tournament.pk, actor=None)
    tournament_start(tournament=tournament.pk, actor=None)
    return tournament


def is_running(tournament: Tournament) -> bool:
    return Tournament.objects.filter(pk=tournament.pk, state=Tournament.State.RUNNING).exists()


def play_waiting(*, limit: int = 1_000) -> int:
    """Finish matches that wait by the formula of the chaos tests; return how many there were."""
    waiting = list(Match.objects.filter(state=Match.State.QUEUED).order_by("-pk")[:limit])
    for match in waiting:
        entrants = [seat.version.entrants.get() for seat in match.seats.select_related("version").order_by("index")]
        finish(match, ranks_of(seed=match.seed, names=[f"bot {entrant.number}" for entrant in entrants]))
    return len(waiting)


def as_without_disturbance(tournament: Tournament) -> None:
    """Compare all tables and places with those that the pure functions give."""
    tournament.refresh_from_db()
    whole = tournament_whole(tournament=tournament)
    entrants = [model.Entrant(each.number, f"bot {each.number}") for each in whole.entrants]
    expected = Undisturbed(whole.stages, entrants, tournament.lots)
    places = expected.play()

    def told(decided: list[model.Decided]) -> list[Any]:
        return [
            (
                each.pairing.stage,
                each.pairing.round,
                each.pairing.number,
                each.pairing.entrants,
                each.points,
                each.winner,
            )
            for each in decided
        ]

    assert tournament.state == Tournament.State.RELEASED
    assert told(whole.decided) == told(expected.decided)
    assert {row.number: row.place for row in whole.rows.values()} == {each.entrant: each.place for each in places}


def test_a_manager_killed_at_any_statement_repeats_and_skips_nothing() -> None:
    tournament = running(SWISS, {**DOUBLE, "best_of": 1}, bots=4)
    kills = 0
    while is_running(tournament):
        before = rows()
        for statement in count():
            try:
                with killed_at(statement):
                    tournament_step(tournament=tournament.pk)
            except Killed:
                kills += 1
                if rows() != before:  # it was committed; what follows only hands out jobs, as the timetable does, too
                    assert not tournament_step(tournament=tournament.pk), f"statement {statement}"
                    break
            else:
                break
        play_waiting()
    as_without_disturbance(tournament)
    assert kills > 100


def test_a_step_without_news_writes_nothing() -> None:
    tournament = running(DOUBLE)
    while is_running(tournament):
        if tournament_step(tournament=tournament.pk):
            before = rows()
            assert not tournament_step(tournament=tournament.pk)
            assert rows() == before
        play_waiting(limit=3)  # so that most steps see a table with some of its matches
    as_without_disturbance(tournament)


def test_void_matches_are_played_again_from_the_same_seed() -> None:
    tournament = running(SWISS, DOUBLE)
    for step in count():
        tournament_step(tournament=tournament.pk)
        waiting = list(Match.objects.filter(state=Match.State.QUEUED).order_by("pk"))
        if not waiting:
            break
        if step % 2:  # every second time all of them fail
            matches_void(matches=waiting, reason=said("The machine has burnt down."))
        else:
            play_waiting()
    as_without_disturbance(tournament)
    again = TableMatch.objects.filter(attempt__gt=0).select_related("match__replaces")
    assert again
    assert all(each.match.replaces and each.match.replaces.seed == each.match.seed for each in again)


def test_two_managers_at_once_do_each_step_once(django_db_blocker: DjangoDbBlocker) -> None:
    tournament = running(DOUBLE)

    def step() -> bool:
        return tournament_step(tournament=tournament.pk)

    while is_running(tournament):
        assert not while_uncommitted(step, step, django_db_blocker)
        with ThreadPoolExecutor(2) as managers:
            list(managers.map(lambda _: _apart(step, django_db_blocker), range(2)))
        play_waiting()
    as_without_disturbance(tournament)


def _apart(act: Callable[[], object], blocker: DjangoDbBlocker) -> None:
    with blocker.unblock():
        try:
            act()
        finally:
            connection.close()
