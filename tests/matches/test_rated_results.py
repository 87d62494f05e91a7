"""The results that a process caches equal those in the database, whatever changed between two reads."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import BotVersion
from matches.models import Match, Seat
from matches.selectors.rated_results import OVERLAP, RatedResults, results_current, results_read
from tests.matches.test_ratings import GAME, beat, finish, make_rival

pytestmark = [pytest.mark.database, pytest.mark.django_db]

LONG_AGO = timezone.now() - 10 * OVERLAP


def content(results: RatedResults) -> tuple[object, ...]:
    """Return the parts of results that a fit uses, with rows in the order of matches."""
    return sorted(results.seats.T.tolist()), results.ended, results.games()


def assert_current() -> None:
    assert content(results_current(contest=GAME)) == content(results_read(contest=GAME))


@pytest.fixture
def rivals() -> list[BotVersion]:
    return [make_rival(name) for name in "abcd"]


def test_before_the_first_match_there_is_nothing() -> None:
    assert results_current(contest=GAME).tables() == []
    assert results_current(contest=GAME).games() == {}


def test_tables_hold_versions_by_seat_and_ranks(rivals: list[BotVersion]) -> None:
    a, b, c, _ = rivals
    finish((a, 2), (b, 1))
    finish((c, 1), (b, 2), (a, 2))
    finish((b, 1), (a, 1))
    two, three = results_current(contest=GAME).tables()
    assert two.players.tolist() == [[a.pk, b.pk], [b.pk, a.pk]]
    assert two.ranks.tolist() == [[2, 1], [1, 1]]
    assert three.players.tolist() == [[c.pk, b.pk, a.pk]]
    assert three.ranks.tolist() == [[1, 2, 2]]
    assert results_current(contest=GAME).games() == {a.pk: 3, b.pk: 3, c.pk: 1}


def test_only_what_is_new_is_read(rivals: list[BotVersion], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    a, b, *_ = rivals
    beat(a, b, times=3)
    Match.objects.update(finished_at=LONG_AGO)
    results_current(contest=GAME)
    beat(b, a)
    with django_assert_num_queries(1):
        current = results_current(contest=GAME)
    assert content(current) == content(results_read(contest=GAME))
    assert len(current.matches()) == 8


def test_a_result_that_was_committed_late_is_found(rivals: list[BotVersion]) -> None:
    a, b, *_ = rivals
    late, in_time = finish((a, 1), (b, 2), state=Match.State.QUEUED), finish((b, 1), (a, 2))
    results_current(contest=GAME)
    Match.objects.filter(pk=late.pk).update(state=Match.State.FINISHED, finished_at=in_time.finished_at - OVERLAP / 2)
    assert_current()
    very_late = finish((a, 1), (b, 2))
    Match.objects.filter(pk=very_late.pk).update(finished_at=LONG_AGO)
    assert_current()


def test_one_taken_out_while_another_comes_in_is_seen(rivals: list[BotVersion]) -> None:
    a, b, *_ = rivals
    beat(a, b)
    Match.objects.update(finished_at=LONG_AGO)
    first = Match.objects.earliest("pk")
    finish((a, 1), (b, 2))
    results_current(contest=GAME)
    finish((a, 1), (b, 2))
    Match.objects.filter(pk=first.pk).update(state=Match.State.VOID)
    assert_current()


def test_whatever_happens_the_database_is_right(rivals: list[BotVersion]) -> None:
    dice = random.Random(8)  # noqa: S311 - results to play with, the same each time
    for _ in range(60):
        players = dice.sample(rivals, dice.choice([2, 2, 3]))
        match = finish(*[(player, rank) for rank, player in enumerate(players, start=1)])
        if dice.random() < 0.4:
            ended = timezone.now() - timedelta(seconds=dice.randrange(200))
            Match.objects.filter(pk=match.pk).update(finished_at=ended)
        if dice.random() < 0.2:
            taken = dice.choice(Match.objects.values_list("pk", flat=True))
            Match.objects.filter(pk=taken).update(state=Match.State.VOID)
        if dice.random() < 0.7:
            assert_current()
    assert Seat.objects.exists()
