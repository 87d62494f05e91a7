"""The ratings before a match and their changes by it, on its page and by the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from core.message import said, stored
from ladder.models import BotVersion, RatingPoint
from matches.models import Match
from matches.selectors.changes import SeatChange, match_changes
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """A finished match that Alpha has won against Beta."""
    return finish_match(make_match(make_version("Alpha"), make_version("Beta")))


def rated(version: BotVersion, match: Match, minutes: float, rating: float, error: float = 50.0) -> None:
    """Write a point of a version's rating history, so many minutes after the end of a match."""
    assert match.finished_at is not None
    at, games = match.finished_at + timedelta(minutes=minutes), version.rating_points.count() + 1
    RatingPoint.objects.create(version=version, games=games, rating=rating, standard_error=error, at=at)


def versions_of(match: Match) -> list[BotVersion]:
    return [seat.version for seat in match.seats.all()]


def fitted(match: Match) -> None:
    """Write two fits before the match and two since, of both versions."""
    for version, rating in zip(versions_of(match), (1_600.0, 1_500.0), strict=True):
        for minutes, away, error in ((-9, 80, 60.0), (-1, 0, 55.0), (1, 30, 50.0), (9, -70, 40.0)):
            rated(version, match, minutes, rating + away, error)


def test_the_ratings_are_those_before_and_the_change_is_by_the_errors_after(
    match: Match, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    fitted(match)
    with django_assert_num_queries(1):
        found = match_changes(match=match)
    assert {index: change.rating for index, change in found.items()} == {0: 1_600.0, 1: 1_500.0}
    assert [change.change for change in found.values()] == pytest.approx([5.18, -5.18], abs=0.01)
    page = client.get(f"/matches/{match.pk}/").text
    assert [words for words in ("Rated then", ">1600<", ">+5<", ">−5<") if words not in page] == []
    changes = client.get(f"/api/v1/matches/{match.pk}/").json()["changes"]
    assert changes[0] == {"index": 0, "rating": 1_600.0, "change": pytest.approx(5.18, abs=0.01)}


def test_before_the_next_fit_and_of_who_had_no_rating_there_is_no_change(match: Match, client: Client) -> None:
    """Without its rating no score is expected, so the others have no change, either."""
    alpha, beta = versions_of(match)
    rated(alpha, match, -1, 1_600.0)
    rated(alpha, match, 1, 1_605.0)
    rated(beta, match, 1, 1_400.0)
    assert match_changes(match=match) == {0: SeatChange(1_600.0, None)}
    assert client.get(f"/matches/{match.pk}/").status_code == 200
    RatingPoint.objects.all().delete()
    for version in (alpha, beta):
        rated(version, match, -1, 1_500.0)
    assert match_changes(match=match) == {0: SeatChange(1_500.0, None), 1: SeatChange(1_500.0, None)}


@pytest.mark.parametrize("change", [{"kind": "trial"}, {"state": "void", "void_reason": stored(said("Our fault."))}])
def test_of_a_match_that_does_not_count_there_is_none(
    match: Match, change: dict[str, str], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    fitted(match)
    for field, value in change.items():
        setattr(match, field, value)
    with django_assert_num_queries(0):
        assert match_changes(match=match) == {}
