"""The organiser's desk and the form of a contest."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import AuditEntry, Notification, User
from contests.models import Contest, Member
from contests.services.contests import contest_create
from jobs.models import WorkingLanguage
from ladder.models import Announcement, Bot, BotVersion
from matches.models import Match, Seat
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_user, make_version
from tests.matches.makers import queue_match
from tests.words import english

pytestmark = pytest.mark.django_db

DESK = "/contests/spring/desk/"


@pytest.fixture
def organiser(client: Client) -> User:
    """A signed-in user who is no administrator and organises the open contest "spring" of Back to the Code."""
    user = make_user("olga")
    contest_create(slug="spring", game="back_to_the_code", title="Spring cup", visibility="private", actor=user)
    Contest.objects.filter(slug="spring").update(state="open")
    client.force_login(user)
    return user


def make_contest_bot(name: str = "Moat", owner: str = "bob", **fields: Any) -> BotVersion:
    user = User.objects.filter(username=owner).first() or make_user(owner)
    bot = Bot.objects.create(owner=user, contest_id="spring", game="back_to_the_code", name=name)
    return make_version(bot, **fields)


def fields_of(**changes: Any) -> dict[str, Any]:
    """Return what a browser sends of the form of a new contest of Back to the Code."""
    typed: dict[str, Any] = {"slug": "mixed", "title": "Mixed tables", "visibility": "public", "ruleset": "contest"}
    return {**typed, "table_2": "1", "table_3": "1", "table_4": "2", **changes}


def test_others_learn_nothing(client: Client, organiser: User) -> None:
    version = make_contest_bot()
    client.force_login(version.bot.owner)
    Member.objects.create(contest_id="spring", user=version.bot.owner)
    paths = ["", "settings/", "collusion/", f"collusion/{version.bot_id}/{version.bot_id}/"]
    acts = ["settings/", "delete/", "disqualify/", "announce/", "announcements/1/delete/", "open/", "freeze/"]
    for reader in (client, Client()):
        assert {reader.get(DESK + path).status_code for path in paths} == {404}
        assert {reader.post(DESK + path, {"bot": version.bot_id}).status_code for path in acts} == {404}
        assert reader.get("/contests/new/").status_code in (302, 404)
    client.force_login(make_user("chief", is_staff=True))
    assert {client.get(DESK + path).status_code for path in paths[:3]} == {200}
    assert client.get("/games/kakomimasu/desk/").status_code == 200


@pytest.mark.parametrize("may", [True, False])
def test_a_user_makes_a_contest_if_the_setting_allows_it(client: Client, settings: Any, may: bool) -> None:
    settings.CONTESTS_BY_USERS = may
    client.force_login(make_user())
    assert client.get("/contests/new/").status_code == (200 if may else 404)
    assert client.get("/contests/new/?game=back_to_the_code").status_code == (200 if may else 404)
    answer = client.post("/contests/new/?game=back_to_the_code", fields_of())
    assert answer.status_code == (302 if may else 404)
    assert Contest.objects.filter(slug="mixed").exists() == may
    if may:
        made = Contest.objects.get(slug="mixed")
        assert (made.state, made.tables) == ("draft", {"2": 1.0, "3": 1.0, "4": 2.0})
        assert "Mixed tables" in client.get(answer["Location"]).text


def test_what_cannot_be_is_told_at_its_field_and_nothing_is_made(client: Client, settings: Any) -> None:
    settings.CONTESTS_BY_USERS = True
    client.force_login(make_user())
    past = {"entries_until": "2020-01-01T10:00", "entries_until_zone": "Asia/Tokyo"}
    typed = fields_of(
        slug="puyo", title="", limit_memory_mib="1", table_2="x", bots_max="0", final_games="1001", **past
    )
    page = client.post("/contests/new/?game=back_to_the_code", typed)
    assert page.status_code == 422
    for sentence in ("is required", "a number", "greater than or equal to 1.", "less than or equal to 1000."):
        assert sentence in page.text, sentence
    typed = fields_of(slug="puyo", table_2="", table_3="", table_4="0", mail_domain="x", **past)
    page = client.post("/contests/new/?game=back_to_the_code", typed)
    assert page.status_code == 422
    for sentence in ("uses this name itself", "a domain such as", "passed already"):
        assert sentence in page.text, sentence
    assert Contest.objects.filter(slug__in=("puyo", "mixed")).get().is_open_contest


def test_settings_change_and_rules_stay_after_a_match(client: Client, organiser: User) -> None:
    typed = fields_of(title="Autumn cup", bots_max="2", tables_each="4", limit_time_percent="200", table_4="")
    assert client.post(f"{DESK}settings/", typed).status_code == 302
    contest = Contest.objects.get(slug="spring")
    assert (contest.title, contest.bots_max, contest.limits) == ("Autumn cup", 2, {"time_percent": 200})
    assert (contest.tables, contest.tables_each) == ({"2": 1.0, "3": 1.0}, 4)
    assert "Open tables a participant" in client.get("/contests/spring/").text
    Contest.objects.filter(slug="spring").update(has_matches=True)
    assert "so they stay" in client.get(f"{DESK}settings/").text
    assert client.post(f"{DESK}settings/", {**typed, "table_4": "5", "title": "Winter cup"}).status_code == 302
    contest.refresh_from_db()
    assert (contest.title, contest.tables) == ("Winter cup", {"2": 1.0, "3": 1.0})
    acts = AuditEntry.objects.filter(act="contest_change").values_list("actor_name", "target")
    assert ("olga", "spring: title") in acts


def test_only_long_fields_fill_a_line_of_the_form(client: Client, organiser: User) -> None:
    WorkingLanguage.objects.create(name="python", title="Python", entries=[], suffixes=[], position=0)
    page = client.get(f"{DESK}settings/").text
    names = re.findall(r'<div class="field\s+field-wide">.*?name="(\w+)"', page, re.DOTALL)
    assert names == ["title", "description", "prizes", "languages"]


def test_the_state_changes_with_a_reason(client: Client, organiser: User) -> None:
    for act, state in (("pause", "paused"), ("freeze", "frozen"), ("open", "open"), ("freeze", "frozen")):
        client.post(f"{DESK}{act}/", {"reason": "Because."})
        assert Contest.objects.get(slug="spring").state == state
    assert "Because." in client.get(DESK).text
    assert "signed" in client.post(f"{DESK}archive/", follow=True).text  # its board is not signed yet
    Contest.objects.filter(slug="spring").update(board_digest="d" * 64)
    client.post(f"{DESK}archive/")
    assert Contest.objects.get(slug="spring").state == "archived"
    assert "cannot become" in client.post(f"{DESK}open/", follow=True).text
    assert client.post(f"{DESK}wings/").status_code == 404


def test_queue_and_faults_are_counted_without_private_tests_and_evidence(client: Client, organiser: User) -> None:
    one, other = make_contest_bot(), make_contest_bot("Ditch", "eve")
    spring = {"contest_id": "spring", "game": "back_to_the_code"}
    queue_match(one.pk, other.pk, kind=Match.Kind.LADDER, queue_class="ladder", **spring)
    trial = queue_match(one.pk, other.pk, kind=Match.Kind.TRIAL, queue_class="requested", **spring)
    played = queue_match(one.pk, other.pk, kind=Match.Kind.LADDER, queue_class="ladder", **spring)
    for match in (trial, played):
        evidence = {"stderr": "secret password"}
        Seat.objects.filter(match=match, version=one).update(verdict="crashed", evidence=evidence)
    Match.objects.filter(pk=played.pk).update(state="finished", finished_at=timezone.now(), lease_token="")
    page = client.get(DESK).text
    assert "rated matches" in page
    assert "private tests" not in page.split("faults")[0].split("Nothing waits")[0].split('id="queue"')[1]
    assert page.count("crashed") == 1
    assert f"/matches/{played.pk}/" in page
    assert f"/matches/{trial.pk}/" not in page
    assert "secret password" not in page


def test_a_bot_is_disqualified_with_a_reason(client: Client, organiser: User) -> None:
    version = make_contest_bot()
    foreign = make_version()
    for reason in (" ", "x" * 501, "It copies\0 Ditch."):
        page = client.post(f"{DESK}disqualify/", {"bot": version.bot_id, "reason": reason}, follow=True).text
        assert "Please give a reason" in page
    assert client.post(f"{DESK}disqualify/", {"bot": foreign.bot_id, "reason": "x"}).status_code == 404
    client.post(f"{DESK}disqualify/", {"bot": version.bot_id, "reason": "It copies Ditch."})
    version.refresh_from_db()
    assert version.state == "retired"
    told = "An organiser of the contest has disqualified this version. Why: It copies Ditch."
    assert english(version.reason) == told
    assert Notification.objects.get(kind="withdrawn").reader == version.bot.owner
    entry = AuditEntry.objects.get(act="version_disqualify")
    assert (entry.actor_name, entry.reason) == ("olga", "It copies Ditch.")


def test_announcements_stand_on_the_pages_of_the_contest(client: Client, organiser: User) -> None:
    until = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    typed = {"text": "Lunch at noon.", "level": "news", "shown_until": until, "shown_until_zone": "UTC"}
    client.post(f"{DESK}announce/", typed)
    made = Announcement.objects.get()
    assert made.contest_id == "spring"
    assert "Lunch at noon." in client.get(DESK).text
    assert "Lunch at noon." not in client.get("/").text
    past = {**typed, "shown_until": "2020-01-01T10:00"}
    assert "passed already" in client.post(f"{DESK}announce/", past).text
    foreign = Announcement.objects.create(text="For all.")
    assert client.post(f"{DESK}announcements/{foreign.pk}/delete/").status_code == 404
    client.post(f"{DESK}announcements/{made.pk}/delete/")
    assert Announcement.objects.get() == foreign


def test_a_contest_without_matches_is_deleted(client: Client, organiser: User) -> None:
    assert "Delete the contest" in client.get(f"{DESK}settings/").text
    client.post(f"{DESK}delete/")
    assert not Contest.objects.filter(slug="spring").exists()
    chief = Client()
    chief.force_login(make_user("chief", is_staff=True))
    assert "Delete the contest" not in chief.get("/games/puyo/desk/settings/").text
    chief.post("/games/puyo/desk/delete/")
    assert Contest.objects.filter(slug="puyo").exists()


def test_the_desk_needs_few_queries(client: Client, organiser: User, django_assert_max_num_queries: Any) -> None:
    for number in range(30):
        make_contest_bot(f"Bot {number}", f"owner{number}")
    client.get(DESK)
    with django_assert_max_num_queries(14):
        client.get(DESK)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_contest_is_made_and_opened_in_the_browser(browser: Browser, live_server: LiveServer) -> None:
    make_user("root", is_staff=True)
    row = {"version": "3", "entries": [], "suffixes": [], "position": 0}
    WorkingLanguage.objects.create(name="python", title="Python 3", **row)
    with browser.new_context(base_url=live_server.url) as context:  # whose console may tell of a refused form
        page = context.new_page()
        sign_in(page, "root")
        page.goto("/contests/new/")
        expect_fits_and_is_accessible(page)
        page.get_by_role("link", name="Back to the Code").click()
        expect_fits_and_is_accessible(page)
        page.get_by_label("Name in urls").fill("mixed")
        page.get_by_label("Title").fill("Mixed tables")
        page.get_by_label("4 bots").fill("2")
        page.get_by_label("Bots are taken until").fill("2030-01-01T10:00")
        page.get_by_label("It freezes by itself").fill("2029-01-01T10:00")
        page.get_by_role("button", name="Make the draft").click()
        expect(page.get_by_text("cannot freeze before its deadline")).to_be_visible()
        expect_fits_and_is_accessible(page)
        page.get_by_label("It freezes by itself").fill("2030-02-01T10:00")
        page.get_by_role("button", name="Make the draft").click()
        expect(page.get_by_role("heading", name="Desk of Mixed tables")).to_be_visible()
        page.get_by_role("button", name="Open", exact=True).click()
        expect(page.locator("#state + .state")).to_have_text("open")
        page.get_by_label("Text").fill("Welcome.")
        page.get_by_role("button", name="Announce").click()
        expect(page.locator(".desk-list")).to_contain_text("Welcome.")
        expect_fits_and_is_accessible(page)
