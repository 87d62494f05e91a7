"""A step plays a tournament on from its rows alone, so it may be repeated and killed anywhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from core.message import said
from games.words import words_of
from matches.models import Match
from matches.services.lifecycle import match_void
from matches.services.quarantine import match_void_and_requeue
from tests.at_once import while_uncommitted
from tests.tournaments.makers import finish_by_strength, make_tournament
from tests.tournaments.playing import begin, play_out, result_of, strength_of, waiting
from tournaments.models import Table, TableMatch, Tournament
from tournaments.services import playing
from tournaments.services.playing import VOID_MAX
from tournaments.services.stepping import tournament_step, tournaments_tick
from tournaments.services.tournaments import tournament_draw, tournament_pause, tournament_resume

pytestmark = pytest.mark.django_db

State = Tournament.State
DOUBLE = [{"format": "double_elimination", "best_of": 3}]
SWISS = [{"format": "swiss", "rounds": 3, "best_of": 2}]
CHAIN = [
    {"format": "round_robin", "groups": 2, "goes_on": 4},
    {"format": "single_elimination", "third_place": True},
]
PLATFORM = said("The worker gave no sign of life.")


class KilledError(Exception):
    """A manager is killed: its transaction is rolled back."""


@pytest.mark.parametrize("stages", [DOUBLE, SWISS, CHAIN], ids=["double", "swiss", "chain"])
@pytest.mark.parametrize("entrants", [5, 8])
def test_a_tournament_is_played_to_its_end(stages: list[dict[str, Any]], entrants: int) -> None:
    tournament = begin(stages=stages, entrants=entrants)
    play_out(tournament)
    assert tournament.state == State.RELEASED
    places = list(tournament.entrants.order_by("number").values_list("place", flat=True))
    assert places[0] == 1
    assert None not in places
    assert not Table.objects.filter(outcome="").exists()
    assert not Match.objects.exclude(kind="tournament", queue_class="tournament", is_hidden=False).exists()


def test_a_step_without_new_results_writes_nothing() -> None:
    tournament = begin()
    before = result_of(tournament)
    assert not tournament_step(tournament=tournament.pk)
    finish_by_strength(waiting(tournament)[0], strength_of(tournament))
    assert not tournament_step(tournament=tournament.pk)
    after = result_of(tournament)
    assert [row[:6] for row in before[0]] == [row[:6] for row in after[0]]


def test_a_step_that_is_killed_anywhere_is_repeated_with_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    undisturbed = begin(stages=DOUBLE, entrants=5)
    play_out(undisturbed)
    expected = result_of(undisturbed)
    Tournament.objects.filter(pk=undisturbed.pk).update(slug="first")
    versions = [row.version for row in undisturbed.entrants.order_by("number")]

    def killing(name: str) -> Any:
        real, calls = getattr(playing, name), []

        def call(**values: Any) -> Any:
            calls.append(name)
            done = real(**values)
            if len(calls) % 2:
                raise KilledError
            return done

        return call

    for name in ("matches_create", "round_insert", "next_round", "places_set", "tournament_tell"):
        monkeypatch.setattr(playing, name, killing(name))
    tournament = make_tournament("drawn", entrants=versions, stages=DOUBLE, lots=7, slug="second")
    tournament.entrants.update(number=None)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.OPEN)
    tournament_draw(tournament=tournament.pk, actor=None)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.RUNNING)
    strength = strength_of(tournament)
    killed = 0
    for _ in range(1_000):
        try:
            with transaction.atomic():
                is_changed = tournament_step(tournament=tournament.pk)
        except KilledError:
            killed += 1
            continue
        for match in waiting(tournament):
            finish_by_strength(match, strength)
        tournament.refresh_from_db()
        if not is_changed and tournament.state != State.RUNNING:
            break
    assert killed > 20
    assert result_of(tournament) == expected


@pytest.mark.django_db(transaction=True)
def test_two_managers_at_once_step_a_tournament_once(django_db_blocker: DjangoDbBlocker) -> None:
    tournament = begin()
    strength = strength_of(tournament)
    for match in waiting(tournament):
        finish_by_strength(match, strength)
    results = []
    second = while_uncommitted(
        lambda: results.append(tournament_step(tournament=tournament.pk)),
        lambda: tournament_step(tournament=tournament.pk),
        django_db_blocker,
    )
    assert results == [True]
    assert second is False
    assert tournament.rounds.count() == 2
    assert TableMatch.objects.filter(table__round__number=2).count() == 2


@pytest.mark.database
def test_a_void_match_is_played_again_with_the_same_seed() -> None:
    tournament = begin()
    match = waiting(tournament)[0]
    match_void(match=match, reason=PLATFORM)
    assert tournament_step(tournament=tournament.pk)
    again = Match.objects.get(replaces=match)
    assert (again.seed, again.table_match.attempt) == (match.seed, 1)
    assert [seat.version_id for seat in again.seats.all()] == [seat.version_id for seat in match.seats.all()]
    play_out(tournament)
    assert tournament.state == State.RELEASED
    assert Table.objects.order_by("pk")[0].matches_counted == 2


def test_a_result_that_becomes_void_before_its_table_is_decided_is_played_again() -> None:
    tournament = begin()
    first, second, *_ = waiting(tournament)
    strength = strength_of(tournament)
    finish_by_strength(first, strength)
    match_void_and_requeue(pk=first.pk, reason=said("Its worker is not trusted."))
    finish_by_strength(second, strength)
    assert tournament_step(tournament=tournament.pk)
    assert Table.objects.order_by("pk")[0].outcome == ""
    assert Match.objects.filter(replaces=first).count() == 1


def test_a_decided_table_stays_when_a_match_of_it_becomes_void(caplog: pytest.LogCaptureFixture) -> None:
    tournament = begin()
    matches = waiting(tournament)
    play_out(tournament, rounds=1)
    before = result_of(tournament)[0][0][:6]
    with caplog.at_level("WARNING"):
        assert match_void_and_requeue(pk=matches[0].pk, reason=said("Its worker is not trusted.")) is None
    assert "table_decided_by_void_match" in caplog.text
    tournament_step(tournament=tournament.pk)
    assert result_of(tournament)[0][0][:6] == before
    assert not Match.objects.filter(replaces=matches[0]).exists()


def test_a_match_that_the_platform_cannot_play_pauses_the_tournament_until_it_is_resumed() -> None:
    tournament = begin()
    place = TableMatch.objects.order_by("pk")[0]
    for attempt in range(VOID_MAX):
        match = TableMatch.objects.get(
            table=place.table, encounter=place.encounter, rotation=place.rotation, attempt=attempt
        ).match
        match_void(match=match, reason=PLATFORM)
        assert tournament_step(tournament=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == State.PAUSED
    for language in ("en", "ja", "ru"):
        sentence = words_of("", language).sentence(tournament.reason)
        assert str(place.table.number) in sentence
        assert str(match.pk) not in sentence, "Everybody reads it, also while the match is hidden."
        assert "The worker gave no sign of life." in sentence
    assert not tournament_step(tournament=tournament.pk)
    tournament_resume(tournament=tournament.pk, actor=None)
    again = Match.objects.get(replaces=match)
    assert again.table_match.attempt == VOID_MAX
    tournament.refresh_from_db()
    assert (tournament.state, tournament.reason) == (State.RUNNING, {})
    play_out(tournament)
    assert tournament.state == State.RELEASED


def test_a_paused_tournament_takes_results_but_makes_nothing() -> None:
    tournament = begin()
    tournament_pause(tournament=tournament.pk, actor=None, reason="A break.")
    play_out(tournament)
    assert tournament.rounds.count() == 1
    assert not waiting(tournament)
    tournament_resume(tournament=tournament.pk, actor=None)
    assert tournament.rounds.count() == 2


def test_a_tournament_plays_on_in_a_frozen_contest() -> None:
    tournament = begin()
    type(tournament.contest).objects.filter(pk=tournament.contest_id).update(state="frozen")
    play_out(tournament)
    assert tournament.state == State.RELEASED


@pytest.mark.database
def test_a_tournament_starts_at_its_time() -> None:
    tournament = make_tournament("open", starts_at=timezone.now() - timedelta(seconds=1))
    make_tournament("open", entrants=[], slug="later", starts_at=timezone.now() + timedelta(hours=1))
    tournaments_tick()
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert len(waiting(tournament)) == 4
    assert Tournament.objects.get(slug="later").state == State.OPEN


def test_a_tournament_that_cannot_start_at_its_time_says_why_and_loses_nothing() -> None:
    tournament = make_tournament("open", entrants=1, starts_at=timezone.now() - timedelta(seconds=1))
    tournaments_tick()
    tournaments_tick()
    tournament.refresh_from_db()
    assert (tournament.state, tournament.starts_at) == (State.OPEN, None)
    for language in ("en", "ja", "ru"):
        assert "1" in words_of("", language).sentence(tournament.reason)
    assert tournament.entrants.count() == 1


def test_one_tournament_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = begin()
    versions = [row.version for row in broken.entrants.order_by("number")]
    well = make_tournament("running", entrants=versions, slug="second")
    Tournament.objects.filter(pk=broken.pk).update(stages=[{"format": "none"}])
    for match in waiting(well):
        finish_by_strength(match, strength_of(well))
    with pytest.raises(ValueError, match="format"):
        tournaments_tick()
    well.refresh_from_db()
    assert well.state == State.RELEASED


def test_a_step_of_64_tables_takes_few_queries() -> None:
    tournament = begin(stages=[{"format": "swiss", "rounds": 2, "best_of": 3}], entrants=128)
    assert len(waiting(tournament)) == 64 * 6
    with CaptureQueriesContext(connection) as idle:
        tournament_step(tournament=tournament.pk)
    assert len(idle) < 12
    strength = strength_of(tournament)
    for match in waiting(tournament):
        finish_by_strength(match, strength)
    with CaptureQueriesContext(connection) as busy:
        tournament_step(tournament=tournament.pk)
    assert len(busy) < 60
