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


def create_again(original: Match | None, kind: Match.Kind = Match.Kind.RERUN) -> Match:
    versions = [make_version(f"{kind} left").pk, make_version(f"{kind} right").pk]
    return queue_match(*versions, kind=kind, original=original)


def test_a_match_is_created_with_its_seats_and_queued() -> None:
    match = create_again(None, Match.Kind.TRIAL)
    assert (match.kind, match.original) == (Match.Kind.TRIAL, None)
    match.refresh_from_db()
    assert (match.state, match.attempt) == (Match.State.QUEUED, 1)
    assert [seat.version.bot.name for seat in match.seats.order_by("index")] == ["trial left", "trial right"]


@pytest.mark.parametrize("kind", [Match.Kind.LADDER, Match.Kind.TRIAL])
def test_only_a_rerun_has_an_original(kind: Match.Kind) -> None:
    with pytest.raises(IntegrityError):
        create_again(make_finished(), kind)


def test_a_rerun_without_original_is_refused() -> None:
    with pytest.raises(IntegrityError):
        create_again(None)


def test_one_rerun_of_a_match_at_a_time() -> None:
    original = make_finished()
    first = make_match(make_version("a"), make_version("b"), kind=Match.Kind.RERUN, original=original)
    finish_match(first)
    make_match(make_version("c"), make_version("d"), kind=Match.Kind.RERUN, original=original)
    with pytest.raises(IntegrityError):
        make_match(make_version("e"), make_version("f"), kind=Match.Kind.RERUN, original=original)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(IntegrityError):
        make_match(make_version("a"), make_version("b"), kind="friendly")


def test_ratings_are_made_of_ladder_matches_alone() -> None:
    rated = make_finished()
    ratings_refit(game=GAME)
    before = list(Rating.objects.order_by("version").values())
    versions = [seat.version for seat in rated.seats.all()]
    for kind, original in ((Match.Kind.RERUN, rated), (Match.Kind.TRIAL, None)):
        finish_match(make_match(*versions, kind=kind, original=original))
    assert list(match_log(game=GAME).matches) == [rated.pk]
    assert not ratings_refit(game=GAME), "nothing that counts is new"
    assert list(Rating.objects.order_by("version").values()) == before
