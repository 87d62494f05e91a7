"""Tournaments on other pages: those of a contest, of a bot and of a user, and on the front page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from common.queries.cached import cached_clear
from contests.models import Contest
from ladder.models import Bot
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import make_tournament, make_versions
from tournaments.models import Tournament
from tournaments.selectors.honours import (
    FRONT_MAX,
    ContestTournaments,
    contest_tournaments,
    first_places,
    front_tournaments,
    tournaments_of_bot,
    tournaments_won,
)
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.standings import final_places

pytestmark = pytest.mark.django_db

GUEST = AnonymousUser()
NOW = timezone.now()


@pytest.fixture
def contest() -> Contest:
    return make_contest(visibility="public")


def made(state: str, slug: str, contest: str = "spring", **fields: object) -> Tournament:
    """Make a tournament, and forget what was read before."""
    entrants = fields.pop("entrants", [])
    tournament = make_tournament(state, slug=slug, contest=contest, entrants=entrants, **fields)  # type: ignore[arg-type]
    cached_clear()
    return tournament


def shown(contest: Contest) -> tuple[list[str], list[str], list[str]]:
    found = contest_tournaments(contest=contest)
    return (
        [each.slug for each in found.running],
        [each.slug for each in found.coming],
        [each.tournament.slug for each in found.past],
    )


# --- Of a contest ----------------------------------------------------------------------------------------------------


def test_tournaments_of_a_contest_are_running_coming_or_past(contest: Contest) -> None:
    for state in Tournament.State.values:
        made(state, state)
    running, coming, past = shown(contest)
    assert set(running) == {"running", "paused", "finished"}
    assert set(coming) == {"open", "drawn"}
    assert past == ["released"]


def test_the_next_one_comes_first_and_those_without_a_time_last(contest: Contest) -> None:
    made("open", "some-day")
    made("open", "later", starts_at=NOW + timedelta(days=2))
    made("drawn", "sooner", starts_at=NOW + timedelta(days=1))
    assert shown(contest)[1] == ["sooner", "later", "some-day"]


def test_past_ones_are_named_with_their_winners_the_newest_first(contest: Contest) -> None:
    versions = make_versions(4, contest="spring")
    made("released", "old", entrants=versions)
    made("released", "new", entrants=versions)
    Tournament.objects.filter(slug="old").update(released_at=NOW - timedelta(days=1))
    cached_clear()
    past = contest_tournaments(contest=contest).past
    assert [each.tournament.slug for each in past] == ["new", "old"]
    assert [(entrant.place, entrant.bot.name) for entrant in past[0].winners] == [
        (1, "Moat"),
        (2, "Keep"),
        (3, "Tower"),
        (3, "Gate"),
    ]


def test_a_contest_without_announced_tournaments_has_none(contest: Contest) -> None:
    made("draft", "secret")
    assert not contest_tournaments(contest=contest)
    assert not ContestTournaments([], [], [])
    made("open", "final")
    assert contest_tournaments(contest=contest)


@pytest.mark.usefixtures("kept")
def test_they_are_read_once_for_all_contests(
    contest: Contest, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made("running", "final")
    contest_tournaments(contest=contest)
    front_tournaments()
    with django_assert_num_queries(0):
        contest_tournaments(contest=contest)
        contest_tournaments(contest=Contest(slug="other"))
        front_tournaments()


# --- The front page --------------------------------------------------------------------------------------------------


def test_the_front_page_names_what_is_played_and_what_comes_next(contest: Contest) -> None:
    made("open", "no-time")
    made("released", "over")
    made("paused", "paused")
    made("open", "soon", starts_at=NOW + timedelta(days=1))
    assert [each.slug for each in front_tournaments()] == ["soon"]
    made("running", "now")
    made("open", "sooner", starts_at=NOW + timedelta(hours=1))
    assert [each.slug for each in front_tournaments()] == ["now", "sooner"]
    assert len(front_tournaments()) == FRONT_MAX


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_the_front_page_names_public_contests_alone(visibility: str, client: Client) -> None:
    make_contest(visibility=visibility)
    made("running", "final", title="Secret final")
    assert front_tournaments() == []
    assert "Secret final" not in client.get("/").text


# --- Of a bot and of a user ------------------------------------------------------------------------------------------


def bot_named(name: str) -> Bot:
    return Bot.objects.get(name=name)


def test_a_bot_is_shown_with_its_tournaments_the_newest_first(contest: Contest) -> None:
    versions = make_versions(4, contest="spring")
    made("released", "first", entrants=versions)
    made("running", "second", entrants=versions)
    made("draft", "secret", entrants=versions)
    found = tournaments_of_bot(bot=bot_named("Keep"))
    assert [(each.tournament.slug, each.place) for each in found] == [("second", None), ("first", 2)]


def test_a_place_is_told_with_the_release_and_not_before(contest: Contest) -> None:
    """The attack: an owner reads the place of his bot on its page before the ceremony."""
    made("finished", "final", entrants=make_versions(4, contest="spring"), results="at_end")
    [entrant] = tournaments_of_bot(bot=bot_named("Moat"))
    assert entrant.place is None
    entrant.refresh_from_db()
    assert entrant.place == 1
    assert tournaments_won([bot_named("Moat")], GUEST) == []


@pytest.mark.usefixtures("kept")
def test_a_bot_of_a_contest_without_tournaments_costs_no_query(
    contest: Contest, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    [version] = make_versions(1, contest="spring")
    tournaments_of_bot(bot=version.bot)
    with django_assert_num_queries(0):
        assert tournaments_of_bot(bot=version.bot) == []
        assert tournaments_won([version.bot], GUEST) == []


def test_first_places_are_honoured_with_a_link_to_the_tournament(contest: Contest) -> None:
    made("released", "final", entrants=make_versions(4, contest="spring"))
    won = tournaments_won(list(Bot.objects.all()), GUEST)
    assert sorted((each.place, each.bot.name) for each in won) == [(1, "Moat"), (2, "Keep"), (3, "Gate"), (3, "Tower")]
    assert {each.url for each in won} == {"/contests/spring/tournaments/final/"}
    assert {each.title for each in won} == {"Spring final"}


@pytest.mark.parametrize(("visibility", "seen"), [("public", True), ("unlisted", False), ("private", False)])
def test_honours_of_a_contest_are_shown_to_those_to_whom_lists_show_it(visibility: str, seen: bool) -> None:
    make_contest(visibility=visibility)
    made("released", "final", entrants=make_versions(4, contest="spring"))
    bots = list(Bot.objects.all())
    assert bool(tournaments_won(bots, GUEST)) is seen
    assert tournaments_won(bots, make_user("root", is_staff=True))


def test_the_podium_of_a_tournament_leads_to_the_ways_of_the_winners(contest: Contest) -> None:
    tournament = made("released", "final", entrants=make_versions(4, contest="spring"))
    places = final_places(told=tournament_told(tournament=tournament, reader=GUEST))
    found = first_places(contest=contest, tournament=tournament, places=places)
    assert [(each.place, each.bot.name) for each in found] == [(1, "Moat"), (2, "Keep"), (3, "Tower"), (3, "Gate")]
    assert found[0].url == f"/contests/spring/tournaments/final/bots/{bot_named('Moat').pk}/"
    assert first_places(contest=contest, tournament=tournament, places=[]) == []


def test_pages_show_the_tournaments(contest: Contest, client: Client) -> None:
    made("released", "final", entrants=make_versions(4, contest="spring"))
    keep = bot_named("Keep")
    for page in ("/contests/spring/", f"/bots/{keep.pk}/", f"/users/{keep.owner.username}/"):
        assert "Spring final" in client.get(page).text, page
