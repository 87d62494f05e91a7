"""Kinds of matches: the database refuses impossible ones, and only ladder matches are rated."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from ladder.models import Rating
from matches.models import Match
from matches.services.ratings import match_log, ratings_refit
from tests.matches.makers import finish_match, make_match, make_version, queue_match

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = "kakomimasu"


def make_finished(**fields: object) -> Match:
    names = Match.objects.count() * 2
    return finish_match(make_match(make_version(f"bot {names}"), make_version(f"bot {names + 1}"), **fields))


@pytest.mark.parametrize(
    ("kind", "has_original"), [("ladder", True), ("trial", True), ("rerun", False), ("friendly", False)]
)
def test_only_a_rerun_has_an_original_and_needs_one(kind: str, has_original: bool) -> None:
    original = make_finished() if has_original else None
    with pytest.raises(IntegrityError):
        queue_match(make_version("left").pk, make_version("right").pk, kind=kind, original=original)


def test_one_rerun_of_a_match_at_a_time() -> None:
    original = make_finished()
    first = make_match(make_version("a"), make_version("b"), kind=Match.Kind.RERUN, original=original)
    finish_match(first)
    make_match(make_version("c"), make_version("d"), kind=Match.Kind.RERUN, original=original)
    with pytest.raises(IntegrityError):
        make_match(make_version("e"), make_version("f"), kind=Match.Kind.RERUN, original=original)


def test_ratings_are_made_of_ladder_matches_alone() -> None:
    rated = make_finished()
    ratings_refit(contest=GAME)
    before = list(Rating.objects.order_by("version").values())
    versions = [seat.version for seat in rated.seats.all()]
    for kind, original in ((Match.Kind.RERUN, rated), (Match.Kind.TRIAL, None)):
        finish_match(make_match(*versions, kind=kind, original=original))
    assert list(match_log(contest=GAME).matches) == [rated.pk]
    assert not ratings_refit(contest=GAME), "nothing that counts is new"
    assert list(Rating.objects.order_by("version").values()) == before
