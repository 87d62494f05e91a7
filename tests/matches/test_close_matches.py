"""Which matches are close, and what a look for them costs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ladder.models import BotEvent, Rating
from ladder.services.events import followers_notify
from ladder.services.follows import follow_begin
from matches.models import Match, Seat
from matches.services.close_matches import Place, close_matches_note, is_close
from tests.ladder.makers import make_rating, make_user
from tests.matches.makers import make_match, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def place(score: float | None, *, rank: int = 1, rating: float | None = 1_500.0, verdict: str = "") -> Place:
    return Place(1, 1, "Moat", rank, score, verdict, rating)


@pytest.mark.parametrize(
    ("first", "second", "close"),
    [
        (place(20), place(19, rank=2), True),
        (place(20), place(18.9, rank=2), False),
        (place(-19), place(-20, rank=2), True),
        (place(0), place(0), True),
        (place(7), place(3), True),
        (place(1), place(0, rank=2), False),
        (place(20), place(20, rank=2, verdict="crashed"), False),
        (place(20), place(20, rating=1_600.0), True),
        (place(20), place(20, rating=1_601.0), False),
        (place(20), place(20, rating=None), False),
        (place(None), place(None, rank=2), False),
    ],
)
def test_what_a_close_match_is(first: Place, second: Place, close: bool) -> None:
    assert is_close(first, second) is close


def ended(*scores: float, **fields: object) -> Match:
    """Return a match of two new bots of 1500 Elo that has just ended."""
    number = Match.objects.count()
    versions = [make_version(f"Bot {number}.{seat}") for seat in range(len(scores))]
    match = make_match(*versions, state="finished", **{"finished_at": timezone.now(), **fields})
    for version, score in zip(versions, scores, strict=True):
        make_rating(version)
        rank = 1 + sum(other > score for other in scores)
        Seat.objects.filter(match=match, version=version).update(score=score, rank=rank)
    return match


def test_both_bots_of_a_close_match_are_noted_and_their_followers_notified() -> None:
    match, alice = ended(99, 100), make_user("alice")
    for seat in match.seats.select_related("version__bot"):
        follow_begin(follower=alice, about=seat.version.bot)
    close_matches_note()
    followers_notify()
    told = alice.notifications.get()  # one, though she follows both
    assert told.text == "A close match: Bot 0.1 beat Bot 0.0 by 100 to 99."
    assert told.url == f"/matches/{match.pk}/"
    assert [event.values["outcome"] for event in BotEvent.objects.order_by("pk")] == ["won", "lost"]


def test_only_rated_matches_of_the_last_moments_count_and_of_more_seats_the_best_two() -> None:
    ended(5, 5, kind="challenge")
    ended(5, 5, finished_at=timezone.now() - timedelta(minutes=5))
    ended(100, 1, 99)
    close_matches_note()
    assert sorted(BotEvent.objects.values_list("bot__name", flat=True)) == ["Bot 2.0", "Bot 2.2"]


def test_a_bot_has_one_close_match_a_day() -> None:
    first = ended(5, 5)
    close_matches_note()
    again = make_match(*(seat.version for seat in first.seats.all()), state="finished", finished_at=timezone.now())
    Seat.objects.filter(match=again).update(score=5, rank=1)
    close_matches_note()
    assert {event.values["match"] for event in BotEvent.objects.all()} == {first.pk}
    BotEvent.objects.update(occasion="yesterday")
    close_matches_note()
    assert BotEvent.objects.count() == 4


def test_a_look_needs_as_many_queries_for_many_matches_as_for_one(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(1):
        close_matches_note()
    for count in (1, 30):
        for _ in range(count):
            ended(5, 5)
        with django_assert_num_queries(3):
            close_matches_note()
    assert BotEvent.objects.count() == Rating.objects.count() == 62
