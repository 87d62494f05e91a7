"""Until when a version's rank is provisional, and about how long that takes; why it plays seldom later."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from contests.models import Contest
from contests.services.contests import contest_transition
from ladder.models import BotVersion
from matches.models import Match
from matches.selectors.rank_waits import PACE_MATCHES, match_pace, rank_wait
from tests.ladder.makers import make_rating, make_standings
from tests.matches.makers import make_match, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

TAKES = "Its rank is provisional: that ends after 20 rated matches at the earliest"


@pytest.fixture
def version() -> BotVersion:
    """An active version without matches."""
    return make_version("mine")


def play(version: BotVersion, games: int, minutes_apart: float = 2.0) -> None:
    """Give the version matches at equal intervals, the last one interval ago."""
    now = timezone.now()
    rival = BotVersion.objects.exclude(pk=version.pk).first() or make_version("rival")
    for number in range(games):
        match = make_match(version, rival)
        ended = now - timedelta(minutes=minutes_apart) * (games - number)
        Match.objects.filter(pk=match.pk).update(state=Match.State.FINISHED, finished_at=ended)


def sentence(version: BotVersion) -> str:
    return rank_wait(version=BotVersion.objects.select_related("bot__contest", "rating").get(pk=version.pk))


@pytest.mark.parametrize("standard_error", [30.0, 190.0])
def test_it_says_how_many_matches_are_missing_whatever_the_interval(version: BotVersion, standard_error: float) -> None:
    play(version, 18)
    make_rating(version, standard_error=standard_error, games=18)
    make_standings()
    assert sentence(version) == (
        f"{TAKES}, and this version has 18; 2 more are needed, at its pace in about 4\xa0minutes."
    )


def test_the_pace_is_that_of_the_newest_matches_until_now(version: BotVersion) -> None:
    play(version, PACE_MATCHES, minutes_apart=60.0)
    play(version, PACE_MATCHES)
    make_rating(version, games=10)  # an older version played the others
    make_standings()
    assert "has 10; 10 more are needed, at its pace in about 20\xa0minutes." in sentence(version)


def test_nothing_is_promised_from_hardly_any_matches_or_while_none_are_made(version: BotVersion) -> None:
    assert sentence(version) == "No rank yet: the first rated match gives one."
    play(version, 4)
    rating = make_rating(version, standard_error=200.0, games=4)
    assert sentence(version) == f"{TAKES}."
    play(version, 6)
    rating.games = 10
    rating.save()
    contest_transition(contest="kakomimasu", to=Contest.State.PAUSED, actor=None)
    assert sentence(version) == f"{TAKES}."


@pytest.mark.parametrize("state", [BotVersion.State.BUILDING, BotVersion.State.PROBATION, BotVersion.State.RETIRED])
def test_of_what_does_not_play_nothing_is_said(state: BotVersion.State) -> None:
    assert sentence(make_version("mine", state=state)) == ""


def test_a_version_with_enough_matches_has_nothing_to_wait_for(
    version: BotVersion, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_rating(version)
    make_standings()
    ranked = BotVersion.objects.select_related("rating").get(pk=version.pk)
    with django_assert_num_queries(0):
        assert rank_wait(version=ranked) == ""


@pytest.mark.parametrize(
    ("standard_error", "games", "rank", "rests"),
    [
        (25.4, 200, 11, True),
        (25.6, 200, 11, False),
        (25.4, 200, 10, False),
        (12.7, 200, 10, True),
        (49.0, 280, 11, True),
        (49.0, 279, 11, False),
        (49.0, 750, 10, True),
        (49.0, 749, 10, False),
        (12.7, 200, None, False),
    ],
)
def test_a_version_that_plays_once_a_day_is_told_so(
    version: BotVersion,
    standard_error: float,
    games: int,
    rank: int | None,
    rests: bool,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make_rating(version, standard_error=standard_error, games=games, rank=rank)
    found = BotVersion.objects.select_related("bot__contest", "rating").get(pk=version.pk)
    with django_assert_num_queries(0):
        sentence = match_pace(version=found)
    assert ("it begins one match a day" in sentence) is rests
    assert not rests or f"After {games} rated matches its rating is known to ±{standard_error * 1.96:.0f}" in sentence


def test_a_version_whose_place_is_clear_is_told_so(version: BotVersion) -> None:
    rating = make_rating(version, standard_error=140.0, games=40, rank=11, rank_best=11, rank_worst=11)
    assert match_pace(version=version).startswith("After 40 rated matches its place is clear, and more would hardly")
    rating.rank_worst = 12
    rating.save()
    assert match_pace(version=BotVersion.objects.get(pk=version.pk)) == ""


def test_a_house_bot_or_one_that_does_not_play_is_told_nothing_of_its_pace(version: BotVersion) -> None:
    house = make_version("Anchor")
    house.bot.is_house = True
    late = make_version("late", state=BotVersion.State.PROBATION)
    for each in (version, house, late):
        make_rating(each, standard_error=5.0, games=200, rank=1)
    assert [bool(match_pace(version=each)) for each in (version, house, late)] == [True, False, False]
    contest_transition(contest=version.bot.game, to=Contest.State.FROZEN, actor=None)
    assert match_pace(version=BotVersion.objects.get(pk=version.pk)) == ""


def test_the_page_of_a_bot_says_that_it_plays_once_a_day(client: Client, version: BotVersion) -> None:
    make_rating(version, standard_error=5.0, games=200, rank=1)
    page = reverse("ladder:bot", args=[version.bot_id])
    assert "it begins one match a day" in client.get(page).text
    version.rating.delete()
    assert "it begins one match a day" not in client.get(page).text


def test_the_page_of_a_bot_tells_it_until_there_are_enough_matches(client: Client, version: BotVersion) -> None:
    play(version, 20)
    rating = make_rating(version, games=19)
    make_standings()
    box, page = reverse("matches:first_games", args=[version.pk]), reverse("ladder:bot", args=[version.bot_id])
    assert box in client.get(page).text
    text = client.get(box).text
    assert "first 20 games" not in text, "they have been played"
    assert "has 19; 1 more is needed" in text
    rating.games = 20
    rating.save()
    make_standings()
    assert box not in client.get(page, headers={"Accept-Language": "ru"}).text, "another language: the page is kept"
    assert client.get(box).text.strip() == ""
