"""The matches and bots on the front page, and the embedded page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import Rating
from matches.models import Match
from matches.selectors.front import front_page
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = pytest.mark.django_db


def played(*ratings: float) -> Match:
    """A finished match of versions with these ratings."""
    number = Match.objects.count()
    versions = [make_version(f"bot {number} {seat}") for seat in range(len(ratings))]
    for version, rating in zip(versions, ratings, strict=True):
        Rating.objects.create(
            version=version,
            contest_id=version.bot.contest_id,
            rating=rating,
            standard_error=1,
            games=9,
            fitted_at=timezone.now(),
        )
    return finish_match(make_match(*versions))


def run(match: Match) -> Match:
    Match.objects.filter(pk=match.pk).update(state=Match.State.RUNNING, lease_ends_at=timezone.now())
    return match


def test_an_empty_arena_has_nothing_to_watch(client: Client) -> None:
    front = front_page(new_bots=5)
    assert (front.match, front.matches_a_minute, front.new_bots) == (None, 0, [])
    assert "<iframe" not in client.get("/").content.decode()


def test_of_what_was_played_the_match_without_a_weak_player_is_shown() -> None:
    played(2000, 1000)
    best = played(1500, 1400)
    played(1450, 1300)
    assert front_page(new_bots=0).match == best


def test_what_is_being_played_comes_first() -> None:
    ended = played(2000, 2000)
    running = run(make_match(make_version("a"), make_version("b")))
    run(make_match(make_version("c"), make_version("d"), kind=Match.Kind.TRIAL))
    front = front_page(new_bots=0)
    assert (front.match, front.ended) == (running, ended), "a match that is being played has no picture"


def test_the_best_of_those_that_are_being_played_is_shown() -> None:
    best = run(played(1500, 1400))
    run(played(2000, 1000))
    assert front_page(new_bots=0).match == best


def test_the_pace_is_that_of_the_last_ten_minutes() -> None:
    for _ in range(3):
        played(1000, 1000)
    Match.objects.filter(pk=played(1, 1).pk).update(finished_at=timezone.now() - timedelta(minutes=11))
    assert front_page(new_bots=0).matches_a_minute == pytest.approx(0.3)


def test_the_newest_bots_are_named_once_and_those_of_the_house_not() -> None:
    make_version("old")
    newest = make_version("new").bot
    make_version("house bot").bot.__class__.objects.filter(name="house bot").update(is_house=True, declared_rating=1.0)
    assert front_page(new_bots=1).new_bots == [newest]


def test_the_front_page_asks_little(
    client: Client, kept: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(4):
        played(1000, 1100)
    with django_assert_max_num_queries(5):
        front_page(new_bots=5)
    page = client.get("/")
    assert b"matches a minute" in page.content
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]


def test_any_site_may_frame_the_viewer_and_it_knows_nobody(client: Client) -> None:
    match = played(1000, 1000)
    client.force_login(make_user("visitor"))
    page = client.get(f"/matches/{match.pk}/embed/")
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in page.headers
    assert "Cookie" not in page.headers.get("Vary", "")
    assert not page.cookies
    assert b"visitor" not in page.content
    assert b'"links": []' in page.content, "in the frame they would open pages that may stand in none"
    assert b'"autoplay": false' in page.content
    assert b'"autoplay": true' in client.get(f"/matches/{match.pk}/embed/?play").content
    other = client.get(f"/matches/{match.pk}/")
    assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]


def test_a_private_test_is_in_no_frame_not_even_for_its_owner(client: Client) -> None:
    match = played(1000, 1000)
    Match.objects.filter(pk=match.pk).update(kind=Match.Kind.TRIAL)
    client.force_login(match.seats.all()[0].version.bot.owner)
    assert client.get(f"/matches/{match.pk}/embed/").status_code == 404


def test_a_match_that_waits_is_described_in_words(client: Client) -> None:
    match = make_match(make_version("a"), make_version("b"))
    assert "waiting for a worker" in client.get(f"/matches/{match.pk}/embed/").content.decode()
