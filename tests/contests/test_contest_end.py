"""A contest's end for people: progress of its finals, podium, winners in lists, honours on profiles, notifications."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import Notification, User
from common.queries.cached import cached_clear
from contests.models import Contest, Member
from contests.services.contests import contest_transition
from ladder.models import Bot
from ladder.selectors.honours import honours_of
from ladder.services.honours import contest_over_notify
from matches.services.final_boards import final_boards_sign
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.contests.playing import make_contest, make_entry, make_member, play
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_user, make_version
from tournaments.models import Entrant, Tournament
from webhooks.models import Delivery, Hook
from webhooks.services.hooks import hook_create

State, Stage = Contest.State, Contest.FinalStage
NAMES = ("Alpha", "Beta", "Gamma", "Delta")
PAGE = "/contests/spring/"


@pytest.fixture(autouse=True)
def no_workers(settings: Settings) -> None:
    """No process is assumed before a worker has announced its own."""
    settings.PROCESSES_ASSUMED = 0


def spring() -> Contest:
    return Contest.objects.get(pk="spring")


def ended(**fields: Any) -> list[str]:
    """Make a contest that is over, with a house bot on its board; return the names of its people's bots, best first."""
    contest = make_contest(**{"title": "Spring cup", **fields})
    versions = [make_entry(contest, name) for name in NAMES]
    house = Bot.objects.create(
        owner=make_user("house"), contest=contest, game=contest.game, name="Anchor", is_house=True, declared_rating=1500
    )
    for version in [*versions[1:], make_version(house)]:
        play(contest, versions[0], version)
    make_entry(contest, "Idle")
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    cached_clear()
    told = Notification.objects.filter(kind="contest_over", values__place__gt=0)
    return [row.values["name"] for row in sorted(told, key=lambda row: row.values["place"])]


def in_finals(**fields: Any) -> Contest:
    """Make a contest whose final matches are being played: 4 of 60 games."""
    contest = make_contest(**{"title": "Spring cup", "final_games": 15, **fields})
    versions = [make_entry(contest, name) for name in NAMES]
    play(contest, *versions[:2])
    play(contest, *versions[2:])
    contest_transition(contest="spring", to=State.FROZEN, actor=None, reason="The last bell has rung.")
    Contest.objects.update(final_stage=Stage.PLAYING)
    return spring()


@pytest.mark.django_db
@pytest.mark.parametrize("page", [PAGE, "/games/kakomimasu/"])
def test_everybody_reads_how_far_the_finals_are(client: Client, page: str) -> None:
    slug = page.strip("/").partition("/")[2]
    in_finals()
    Contest.objects.filter(slug="kakomimasu").update(state=State.FROZEN, final_stage=Stage.PLAYING, final_games=0)
    html = client.get(page).text
    assert f"Final matches are being played: {'4 of 60' if slug == 'spring' else '0 of 0'}." in html
    assert "no new matches are made" not in html
    if slug == "spring":
        assert "final matches" in client.get("/contests/").text
        assert "The last bell has rung." in html
        answer = client.get("/api/v1/contests/spring/").json()
        assert answer["finals"] == {
            "stage": "playing",
            "builds": 0,
            "games": 4,
            "games_wanted": 60,
            "seconds": None,
            "sentence": "Final matches are being played: 4 of 60.",
        }
        assert (answer["winners"], answer["final_games"], answer["final_by"]) == ([], 15, None)


@pytest.mark.django_db
def test_the_desk_says_how_long_it_takes(client: Client) -> None:
    contest = in_finals()
    client.force_login(make_member(contest, "olga", Member.Role.ORGANISER))
    assert "No worker takes work just now" in client.get(f"{PAGE}desk/").text
    make_worker("play@one", processes=2)
    html = client.get(f"{PAGE}desk/").text
    assert "Final matches are being played: 4 of 60." in html
    assert "By the measured speed that takes about" in html
    seconds = client.get("/api/v1/contests/spring/").json()["finals"]["seconds"]
    assert seconds > 0


@pytest.mark.django_db
def test_the_organiser_chooses_games_and_the_latest_end_in_the_settings(client: Client) -> None:
    contest = make_contest()
    client.force_login(make_member(contest, "olga", Member.Role.ORGANISER))
    page = client.get(f"{PAGE}desk/settings/")
    assert "Games of each bot before the board is signed" in page.text
    typed = {
        "title": "Spring",
        "visibility": "public",
        "table_2": "1",
        "final_games": "8",
        "honours_house_bots": "false",
    }
    typed |= {"final_by": "2099-01-01T10:00", "final_by_zone": "UTC"}
    answer = client.post(f"{PAGE}desk/settings/", typed)
    assert answer.status_code == 302
    assert (spring().final_games, spring().honours_house_bots) == (8, False)
    assert spring().final_by
    assert "after 8 games of each bot" in client.get(f"{PAGE}desk/").text


@pytest.mark.django_db
def test_winners_stand_on_the_page_in_the_list_in_the_api_and_on_profiles(client: Client) -> None:
    order = ended()
    assert len(order) == 4
    html = client.get(PAGE).text
    podium = html[html.index('<ol class="podium">') : html.index("</ol>")]
    assert [podium.index(f">{name}<") for name in order[:3]] == sorted(podium.index(f">{name}<") for name in order[:3])
    assert order[3] not in podium
    assert "Anchor" not in podium
    assert f"<bdi>{order[0]}</bdi>" in client.get("/contests/").text
    answer = client.get("/api/v1/contests/spring/").json()
    assert [(row["place"], row["name"]) for row in answer["winners"]] == list(enumerate(order[:3], start=1))
    assert answer["finals"] is None
    profile = client.get(f"/users/{order[1]} owner/").text
    assert "Place 2:" in profile
    assert "Spring cup" in profile
    assert "Honours" not in client.get(f"/users/{order[3]} owner/").text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("visibility", "switch", "is_named"),
    [("public", None, True), ("public", False, False), ("private", None, False), ("private", True, True)],
)
def test_house_bots_stand_apart_if_the_contest_wants_it(
    client: Client, visibility: str, switch: bool | None, is_named: bool
) -> None:
    ended(visibility=visibility, honours_house_bots=switch)
    make_member(spring(), "nora")
    client.force_login(User.objects.get(username="nora"))
    Contest.objects.update(final_stage=Stage.SIGNED)
    bot = Bot.objects.get(name="Anchor")
    bot.versions.get().rating.__class__.objects.filter(version__bot=bot).update(rank=2)
    html = client.get(PAGE).text
    assert ("House bots take no place" in html) == is_named


@pytest.mark.django_db
def test_honours_of_a_private_contest_are_for_its_members_alone(client: Client) -> None:
    order = ended(visibility="private")
    url = f"/users/{order[0]} owner/"
    assert "Spring cup" not in client.get(url).text
    assert "Spring cup" not in client.get("/contests/").text
    client.force_login(make_member(spring(), "nora"))
    assert order[0] in client.get("/contests/").text


@pytest.mark.django_db
def test_participants_are_notified_and_their_hooks_are_called() -> None:
    alpha = make_user("Alpha owner")
    Hook.objects.create(owner=alpha, url="https://ci.example/", groups=["contest"])
    ended()
    told = {row.reader.username: row.text for row in Notification.objects.filter(kind="contest_over")}
    assert set(told) == {f"{name} owner" for name in (*NAMES, "Idle")}
    assert (
        told["Idle owner"]
        == "The contest Spring cup is over: Idle has no place, since it has played no match that counts."
    )
    assert "The contest Spring cup is over: Alpha came in place" in told["Alpha owner"]
    assert told["Alpha owner"].endswith("of 5.")
    assert [row.notification.kind for row in Delivery.objects.select_related("notification") if row.notification] == [
        "contest_over"
    ]


@pytest.mark.django_db
def test_one_list_of_honours_has_contests_and_tournaments_the_newest_first() -> None:
    order = ended()
    bot = Bot.objects.get(name=order[0])
    tournament = Tournament.objects.create(
        contest=spring(),
        slug="final",
        title="Final",
        state=Tournament.State.RELEASED,
        finished_at=timezone.now() - timedelta(days=1),
        released_at=timezone.now(),
    )
    Entrant.objects.create(tournament=tournament, bot=bot, version=bot.versions.get(), number=1, place=2)
    cached_clear()
    won = honours_of(bots=[bot], reader=bot.owner)
    assert [(row.title, row.place, row.part_of) for row in won] == [
        ("Spring cup", 1, "Kakomimasu"),
        ("Final", 2, "Spring cup"),
    ]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_over", [False, True])
def test_the_end_fits_a_desk_and_a_phone(page: Page, is_over: bool) -> None:
    winner = ended()[0] if is_over else in_finals() and ""
    make_member(spring(), "olga", Member.Role.ORGANISER)
    make_worker("play@one", processes=2)
    sign_in(page, "olga")
    for path in ("/contests/", PAGE, f"{PAGE}desk/"):
        page.goto(path)
        expect_fits_and_is_accessible(page)
        if winner and "desk" not in path:
            expect(page.get_by_role("link", name=winner, exact=True).first).to_be_visible()


@pytest.mark.django_db
def test_the_end_is_told_in_as_many_statements_for_many_bots_as_for_few(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """It happens in the transaction that signs the board, for which all other writers wait."""
    contest = make_contest(frozen_at=timezone.now())
    for number in range(2):
        hook_create(owner=make_entry(contest, f"Few{number}").bot.owner, url="https://ci.example/", groups=["contest"])
    with CaptureQueriesContext(connection) as few:
        contest_over_notify(contest=contest)
    for number in range(20):
        hook_create(owner=make_entry(contest, f"More{number}").bot.owner, url="https://ci.example/", groups=["contest"])
    with django_assert_num_queries(len(few)):
        contest_over_notify(contest=contest)
    assert Notification.objects.filter(kind="contest_over").count() == Delivery.objects.count() == 22
    assert {row.hook.owner_id for row in Delivery.objects.select_related("hook")} == set(
        Notification.objects.values_list("reader", flat=True)
    )
