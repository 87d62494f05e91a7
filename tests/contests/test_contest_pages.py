"""The list of contests, the page of a contest, its calendar, and the front page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar
from playwright.sync_api import Page, expect
from pytest_django import DjangoAssertNumQueries

from contests.models import Contest, Member
from contests.services.contests import contest_transition
from ladder.selectors.boards import BOARD_PAGE_ROWS
from matches.services.final_boards import final_boards_sign
from matches.services.ratings import ratings_refit
from tests.browsing import expect_fits_and_is_accessible, sign_in
from tests.contests.playing import make_contest, make_entry, make_member, play
from tests.ladder.makers import make_rating
from tests.visitors import signed_in

State = Contest.State
NOW = timezone.now()
DESCRIPTION = "# What\n\nWrite a *bot*. <script>alert(1)</script> [Rules](https://a.example/)"


def a_contest(slug: str = "spring", **fields: object) -> Contest:
    """Make a contest that has all that its page can show."""
    row = {
        "title": "Spring <cup>",
        "description": DESCRIPTION,
        "prizes": "A book",
        "entries_until": NOW + timedelta(days=3),
        "frozen_at": NOW + timedelta(days=4),
        "languages": ["python", "cpp"],
        "replays_kept": 5,
    }
    return make_contest(slug, **row | fields)


@pytest.mark.django_db
def test_a_contest_page_says_what_when_and_who(client: Client) -> None:
    contest = a_contest()
    make_member(contest, "Olga", Member.Role.ORGANISER)
    html = client.get("/contests/spring/").content.decode()
    for part in ("Spring &lt;cup&gt;", "A book", "<h2>What</h2>", "Olga", "Uploads close", "python, cpp", "running"):
        assert part in html
    assert "<script>alert" not in html
    assert 'rel="nofollow ugc noopener noreferrer"' in html
    assert "the newest 5 of each pair of bots stay" in html
    assert "?contest=spring" in html


@pytest.mark.django_db
def test_the_open_contest_of_a_game_looks_as_before(client: Client) -> None:
    html = client.get("/games/kakomimasu/").content.decode()
    for part in ("Uploads close", 'class="dates"', "Calendar file", "Organiser", 'href="/contests/"', 'id="board"'):
        assert part not in html
    assert "front-contests" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_navigation_and_front_page_name_contests_that_are_listed(client: Client) -> None:
    a_contest("secret", visibility="private", title="Secret cup")
    a_contest("hidden", visibility="unlisted", title="Hidden cup")
    a_contest("draft", state=State.DRAFT, title="Draft cup")
    html = client.get("/").content.decode()
    assert 'href="/contests/"' not in html
    assert "cup" not in html
    make_contest(title="Open cup")
    from common.queries.cached import cached_clear

    cached_clear()
    html = client.get("/games/").content.decode()
    assert 'href="/contests/"' in html


@pytest.mark.django_db
def test_the_list_is_divided_and_hides_what_is_hidden(client: Client) -> None:
    a_contest("running", title="Running cup")
    a_contest("over", title="Over cup", state=State.ARCHIVED, board_digest="a" * 64)
    draft = a_contest("draft", title="Draft cup", state=State.DRAFT, opens_at=NOW + timedelta(days=1))
    secret = a_contest("secret", title="Secret cup", visibility="private")
    a_contest("hidden", title="Hidden cup", visibility="unlisted")
    html = client.get("/contests/").content.decode()
    assert html.index("Running cup") < html.index("Over cup")
    assert not any(f"{name} cup" in html for name in ("Draft", "Secret", "Hidden"))
    mine = signed_in(make_member(secret, "Pia")).get("/contests/").content.decode()
    assert "Secret cup" in mine
    assert "Hidden cup" not in mine
    organised = signed_in(make_member(draft, "Olga", Member.Role.ORGANISER)).get("/contests/").content.decode()
    assert organised.index("Running cup") < organised.index("Draft cup") < organised.index("Over cup")


@pytest.mark.django_db
def test_who_takes_part_sees_own_bots_with_rank(client: Client) -> None:
    contest = a_contest()
    version = make_entry(contest, "Moat")
    make_rating(version, listed=True, rank=1)
    mine = signed_in(version.bot.owner).get("/contests/spring/").content.decode()
    assert "My bots" in mine
    assert "rank 1" in mine
    assert "My bots" not in client.get("/contests/spring/").content.decode()


@pytest.mark.django_db
def test_the_page_shows_hash_and_signature_once_they_are_there(client: Client) -> None:
    contest = a_contest()
    play(contest, make_entry(contest, "Alpha"), make_entry(contest, "Beta"))
    ratings_refit(contest="spring")
    contest_transition(contest="spring", to=State.FROZEN, actor=None, reason="Time is up.")
    assert "it is not final before" in client.get("/contests/spring/").content.decode()
    final_boards_sign()
    contest.refresh_from_db()
    from django.core.cache import caches

    caches["pages"].clear()
    html = client.get("/contests/spring/").content.decode()
    for part in (contest.board_digest, contest.board_signature, "final.json", "Final board", "Time is up."):
        assert part in html
    assert "Uploads closed" in html


@pytest.mark.django_db
def test_a_calendar_has_the_dates_that_are_set(client: Client) -> None:
    a_contest()
    answer = client.get("/contests/spring/calendar.ics")
    assert answer["Content-Type"].startswith("text/calendar")
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert [str(event["summary"]) for event in events] == ["Spring <cup>: Uploads close", "Spring <cup>: Freezes"]
    a_contest("secret", visibility="private")
    assert client.get("/contests/secret/calendar.ics").status_code == 404


@pytest.mark.usefixtures("kept")
@pytest.mark.django_db
def test_pages_cost_six_queries_at_most(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    """Of a contest with more bots than a page of its board, matches and organisers."""
    contest = a_contest()
    make_member(contest, "Olga", Member.Role.ORGANISER)
    versions = [make_entry(contest, f"bot {number}") for number in range(BOARD_PAGE_ROWS + 2)]
    for place, version in enumerate(versions):
        make_rating(version, 1500 - place, listed=True, rank=place + 1)
    for _match in range(3):
        play(contest, *versions[:2])
    for page in ("/contests/spring/", "/contests/", "/matches/?contest=spring"):
        with django_assert_max_num_queries(6):
            client.get(page)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_contest_pages_fit_and_are_accessible(page: Page) -> None:
    contest = a_contest()
    olga = make_member(contest, "Olga", Member.Role.ORGANISER)
    versions = [make_entry(contest, name) for name in ("Alpha", "Beta")]
    play(contest, *versions)
    page.goto("/contests/")
    expect(page.get_by_role("heading", name="Spring <cup>")).to_be_visible()
    expect_fits_and_is_accessible(page)
    page.get_by_role("link", name="Spring <cup>").click()
    expect(page.locator(".dates-left").first).to_contain_text("2 days")
    expect_fits_and_is_accessible(page)
    ratings_refit(contest="spring")
    contest_transition(contest="spring", to=State.FROZEN, actor=olga)
    final_boards_sign()
    sign_in(page, "Olga")
    page.goto("/contests/spring/")
    with page.expect_download() as download:
        page.get_by_role("link", name="final.json").click()
    assert download.value.suggested_filename == "spring-final.json"
    page.get_by_text("Verify it").click()
    expect_fits_and_is_accessible(page)
