"""The organisers' pages of tournaments: the form with its plan, the desk, and all that it does."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import AuditEntry, User
from contests.models import Member
from matches.models import Match
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import finish_by_strength, make_tournament, make_versions
from tests.visitors import signed_in, words
from tournaments.models import Entrant, Table, Tournament
from tournaments.services.stepping import tournament_step

pytestmark = pytest.mark.django_db

HOME = "/contests/spring/tournaments/"
DESK = f"{HOME}final/desk/"


@pytest.fixture
def organiser(client: Client) -> User:
    """A signed-in user who is no administrator and organises the open contest "spring" of Kakomimasu."""
    user = make_user("olga")
    contest = make_contest(visibility="public")
    Member.objects.create(contest=contest, user=user, role="organiser")
    client.force_login(user)
    return user


def fields_of(**changes: Any) -> dict[str, Any]:
    """Return what a browser sends of the form of a new tournament: a Swiss of three rounds by a list."""
    typed = {"title": "Spring final", "slug": "final", "entry": "list", "results": "at_once", "preset": "swiss"}
    stages = {f"stage{number}-best_of": "1" for number in range(1, 5)}
    return {**typed, **stages, "stage1-rounds": "3", "planned": "16", **changes}


def made() -> Tournament:
    return Tournament.objects.get(slug="final")


def test_others_learn_nothing(client: Client, organiser: User) -> None:
    make_tournament(contest="spring")
    guest, stranger = Client(), signed_in(make_user("eve"))
    for reader in (guest, stranger):
        for path in (f"{HOME}new/", DESK, f"{DESK}settings/"):
            assert reader.get(path).status_code == 404
        for path in (f"{HOME}plan/", f"{DESK}enter/", f"{DESK}delete/", f"{DESK}pause/", f"{DESK}settings/"):
            assert reader.post(path, {"reason": "x"}).status_code == 404
        assert "/desk/" not in reader.get(f"{HOME}final/").text
    assert made().state == "running"
    for path in (f"{HOME}new/", DESK, f"{DESK}settings/"):
        assert client.get(path).status_code == 200
    assert DESK in client.get(f"{HOME}final/").text
    assert f"{HOME}new/" in client.get(HOME).text
    assert HOME in client.get("/contests/spring/desk/").text
    assert client.post(f"{DESK}wings/").status_code == 404


@pytest.mark.parametrize(
    ("typed", "stages"),
    [
        ({}, [{"format": "swiss", "rounds": 3}]),
        (
            {"preset": "round_robin", "stage1-cycles": "2", "stage1-groups": "4", "stage1-table_size": "4"},
            [{"format": "round_robin", "cycles": 2, "table_size": 4}],
        ),
        (
            {"preset": "single_elimination", "stage1-best_of": "3", "stage1-third_place": "on", "stage1-rounds": "x"},
            [{"format": "single_elimination", "best_of": 3, "third_place": True}],
        ),
        (
            {"preset": "double_elimination", "stage1-extra_max": "4", "stage1-third_place": "on"},
            [{"format": "double_elimination", "extra_max": 4}],
        ),
        (
            {"preset": "groups_knockout", "stage1-groups": "4", "stage1-goes_on": "8", "stage1-tie_break_1": "wins"},
            [
                {"format": "round_robin", "groups": 4, "goes_on": 8, "tie_breaks": ["wins"]},
                {"format": "single_elimination"},
            ],
        ),
        (
            {
                "preset": "own",
                "stage1-format": "swiss",
                "stage1-goes_on": "4",
                "stage2-format": "",
                "stage3-format": "double_elimination",
                "stage3-goes_on": "2",
            },
            [{"format": "swiss", "rounds": 3, "goes_on": 4}, {"format": "double_elimination"}],
        ),
        ({"stage1-table_size": "4"}, [{"format": "swiss", "rounds": 3, "table_size": 4}]),
    ],
)
def test_a_preset_makes_its_stages(
    client: Client, organiser: User, typed: dict[str, str], stages: list[dict[str, Any]]
) -> None:
    answer = client.post(f"{HOME}new/", fields_of(**typed))
    assert answer.status_code == 302, words(client, f"{HOME}new/")
    assert made().stages == stages
    assert made().state == "draft"
    page = client.get(f"{DESK}settings/").text  # the form shows the same stages, and keeps them
    assert f'value="{typed.get("preset", "swiss")}"' in page.split("checked", 1)[0] or "checked" in page
    assert client.post(f"{DESK}settings/", fields_of(**typed, title="Autumn final")).status_code == 302
    assert (made().title, made().stages) == ("Autumn final", stages)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"title": " "}, "This field is required."),
        ({"slug": "Not a slug"}, "hyphens"),
        ({"slug": "new"}, "The arena uses this name itself."),
        ({"stage1-rounds": ""}, "Please say how many rounds are played."),
        ({"stage1-rounds": "many"}, "Enter a whole number."),
        ({"stage1-rounds": "51"}, "50"),
        ({"preset": "groups_knockout", "stage1-goes_on": ""}, "Please say how many go on."),
        ({"preset": "own", "stage1-format": "wings"}, "not one of the available choices"),
        ({"preset": "own"}, "Please choose the format of the first stage."),
        ({"preset": "wings"}, "not one of the available choices"),
        ({"preset": "single_elimination", "stage1-table_size": "7"}, "not one of the available choices"),
        ({"entry": "board"}, "Please say how many bots of the board play."),
        ({"entrants_max": "1"}, "greater than or equal to 2"),
        ({"starts_at": "2020-01-01T10:00", "starts_at_zone": "Asia/Tokyo"}, "This time has passed already."),
    ],
)
def test_each_fault_is_told_and_nothing_is_made(
    client: Client, organiser: User, typed: dict[str, str], sentence: str
) -> None:
    page = client.post(f"{HOME}new/", fields_of(**typed))
    assert page.status_code == 422
    assert sentence in page.text
    assert "Nothing has been changed" in page.text
    assert not Tournament.objects.exists()


def test_the_plan_says_rounds_and_matches(client: Client, organiser: User) -> None:
    def plan(**typed: str) -> str:
        return " ".join(client.post(f"{HOME}plan/", fields_of(**typed)).text.split())

    assert "3 rounds, 48 matches" in plan()
    assert "15 rounds, 240 matches" in plan(preset="round_robin")
    assert '4 rounds, 30 matches</span> <span class="muted">at most' in plan(preset="single_elimination")
    assert "cannot" not in plan(planned="8")
    assert "choose at most 3 minus 1 rounds" in plan(planned="3")
    assert "Choose a format" in plan(**{"stage1-rounds": ""})
    assert not Tournament.objects.exists()


def test_a_list_enters_bots_or_names_each_that_is_wrong(client: Client, organiser: User) -> None:
    versions = make_versions(3, contest="spring")
    make_tournament("open", entrants=versions[:1], contest="spring")
    versions[2].state = "retired"
    versions[2].save()
    page = client.post(f"{DESK}enter/", {"names": "keep\nNope\nTower\n<b>\n\0"})
    assert page.status_code == 422
    for sentence in ("“Nope”", "“&lt;b&gt;”", "Tower: Tower has no active version."):
        assert sentence in page.text, sentence
    assert "keep\nNope" in page.text
    assert made().entrants.count() == 1
    assert client.post(f"{DESK}enter/", {"names": "\n"}).status_code == 422
    assert client.post(f"{DESK}enter/", {"names": "Moat\n KEEP \nkeep"}).status_code == 302
    assert list(made().entrants.values_list("bot__name", flat=True)) == ["Moat", "Keep"]
    entrant = made().entrants.get(bot__name="Keep")
    client.post(f"{DESK}remove/", {"entrant": entrant.pk})
    assert made().entrants.count() == 1
    assert client.post(f"{DESK}remove/", {"entrant": entrant.pk}).status_code == 404


def test_the_draw_is_shown_before_it_is_made_and_made_again(client: Client, organiser: User) -> None:
    make_tournament("open", contest="spring")
    page = words(client, DESK)
    assert "If it were drawn now" in page
    assert "the best seed meets the weakest" in page
    client.post(f"{DESK}draw/")
    lots = made().lots
    assert made().state == "drawn"
    client.post(f"{DESK}draw-again/")
    assert made().state == "drawn"
    assert made().lots != lots
    client.post(f"{DESK}take-back/")
    assert made().state == "open"
    assert "tournament_draw_take_back" in words(client, DESK)
    other = make_tournament("open", contest="spring", slug="final-b", entrants=0)
    AuditEntry.objects.create(act="tournament_open", target=f"spring/{other.slug}", actor_name="root of another")
    assert "root of another" not in client.get(DESK).text


def test_a_table_is_decided_and_an_entrant_leaves_with_a_reason(client: Client, organiser: User) -> None:
    tournament = make_tournament(contest="spring", results="at_end")
    page = words(client, DESK)
    assert "hidden from others" in page
    table = Table.objects.get(outcome="")
    typed = {"table": table.pk, "points": ["0", "2"], "reason": "The cable was pulled."}
    refused = client.post(f"{DESK}decide/", {**typed, "reason": " "}, follow=True)
    assert "reason" in refused.text
    refused = client.post(f"{DESK}decide/", {**typed, "points": ["3", "x"]}, follow=True)
    assert "Please choose the points of each bot at the table." in refused.text
    assert client.post(f"{DESK}decide/", {**typed, "table": 10**9}).status_code == 404
    client.post(f"{DESK}decide/", typed)
    table.refresh_from_db()
    assert (table.outcome, table.winner, table.reason) == ("by_hand", 2, "The cable was pulled.")
    assert list(table.seats.values_list("points", flat=True)) == [0.0, 1.0]
    assert {match.state for match in Match.objects.filter(table_match__table=table)} == {"void"}
    assert "The cable was pulled." in client.get(DESK).text
    other = make_tournament(
        "drawn", contest="spring", slug="other", entrants=make_versions(4, contest="spring", prefix="B ")
    )
    entrant = other.entrants.get(number=1)
    client.post(f"{HOME}other/desk/disqualify/", {"entrant": entrant.pk, "reason": "It copies Keep."})
    entrant.refresh_from_db()
    assert (entrant.left, entrant.left_reason) == (Entrant.Left.DISQUALIFIED, "It copies Keep.")
    assert client.post(f"{DESK}withdraw/", {"entrant": entrant.pk, "reason": "x"}).status_code == 404
    assert tournament.pk != other.pk


def test_rounds_are_released_one_by_one(client: Client, organiser: User) -> None:
    tournament = make_tournament(contest="spring", results="by_round")
    assert "Release round 1" in words(client, DESK)
    first = tournament.rounds.get(number=1)
    assert f'name="round" value="{first.pk}"' in client.get(DESK).text
    assert client.post(f"{DESK}release-round/").status_code == 404
    client.post(f"{DESK}release-round/", {"round": first.pk})
    assert [row.released_at is not None for row in tournament.rounds.all()] == [True, False]
    assert "Release round" not in words(client, DESK)
    client.post(f"{DESK}pause/", {"reason": "Lunch."})
    assert "Lunch." in client.get(DESK).text
    client.post(f"{DESK}resume/")
    assert made().state == "running"


def test_settings_stay_after_the_draw_but_texts(client: Client, organiser: User) -> None:
    make_tournament("drawn", contest="spring")
    assert "its format stays" in client.get(f"{DESK}settings/").text
    assert client.post(f"{DESK}settings/", {"title": "Winter final", "entry": "board"}).status_code == 302
    assert (made().title, made().entry) == ("Winter final", "list")
    client.post(f"{DESK}delete/")
    assert not Tournament.objects.exists()


def test_the_desk_needs_few_queries(client: Client, organiser: User, django_assert_max_num_queries: Any) -> None:
    make_tournament("open", contest="spring", entrants=20)
    client.get(DESK)
    with django_assert_max_num_queries(24):
        client.get(DESK)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_an_organiser_makes_draws_plays_and_releases_in_the_browser(browser: Browser, live_server: LiveServer) -> None:
    make_user("root", is_staff=True)
    make_contest(visibility="public")
    versions = make_versions(4, contest="spring")
    with browser.new_context(base_url=live_server.url) as context:  # whose console may tell of a refused form
        page = context.new_page()
        sign_in(page, "root")
        page.goto(HOME)
        page.get_by_role("link", name="New tournament").click()
        page.get_by_label("Groups, then knockout").check()
        expect(page.locator(".stage-2")).to_be_visible()
        expect(page.locator(".plan")).to_contain_text("Single elimination of 8 bots")
        expect_fits_and_is_accessible(page)
        page.get_by_label("Stages of your own").check()
        page.locator("#id_stage2-format").select_option("double_elimination")
        page.locator("#id_stage3-format").select_option("single_elimination")
        expect(page.locator(".plan li")).to_have_count(3)
        page.get_by_label("Single elimination").check()
        expect(page.locator(".stage-2")).to_be_hidden()
        expect(page.locator("#id_stage1-rounds")).to_be_hidden()
        page.get_by_label("Counted for this many entrants").fill("4")
        expect(page.locator(".plan")).to_contain_text("at most 6 matches")
        page.get_by_label("Title").fill("Spring final")
        page.get_by_label("Name in urls").fill("new")
        page.get_by_label("You choose them, by name").check()
        page.get_by_label("At the end").check()
        page.get_by_role("button", name="Make the draft").click()
        expect(page.get_by_text("uses this name itself")).to_be_visible()
        expect_fits_and_is_accessible(page)
        page.get_by_label("Name in urls").fill("final")
        page.get_by_role("button", name="Make the draft").click()
        expect(page.get_by_role("heading", name="Desk of Spring final")).to_be_visible()
        page.get_by_role("button", name="Announce").click()
        page.get_by_label("Enter bots by their names").fill("\n".join(version.bot.name for version in versions))
        page.get_by_role("button", name="Enter them").click()
        expect(page.get_by_role("heading", name="If it were drawn now")).to_be_visible()
        expect_fits_and_is_accessible(page)
        page.get_by_role("button", name="Draw the first round").click()
        expect(page.get_by_role("heading", name="Semi-finals")).to_be_visible()
        page.get_by_text("Start…").click()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("#state + .state")).to_have_text("being played")
        tournament_step(tournament=made().pk)
        strength = {version.pk: -number for number, version in enumerate(versions)}
        for match in Match.objects.filter(table_match__table__number=1):
            finish_by_strength(match, strength)
        tournament_step(tournament=made().pk)
        page.reload()
        page.get_by_text("Decide by hand…").first.click()
        page.get_by_label("Points of Keep").first.select_option("1")
        page.get_by_label("Points of Tower").first.select_option("0")
        page.locator(".decide[open]").get_by_label("Reason").fill("The cable was pulled.")
        expect_fits_and_is_accessible(page)
        page.get_by_role("button", name="Decide", exact=True).click()
        expect(page.locator("#tables")).to_have_text("Final")
        for match in Match.objects.filter(table_match__table__outcome=""):
            finish_by_strength(match, strength)
        tournament_step(tournament=made().pk)
        page.reload()
        expect(page.get_by_text("hidden from others").first).to_be_visible()
        page.get_by_text("Release all results…").click()
        page.get_by_role("button", name="Release all results").click()
        expect(page.locator("#state + .state")).to_have_text("over")
        expect_fits_and_is_accessible(page)
