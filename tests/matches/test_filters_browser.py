"""The filter of the list of matches in a real browser: it fits, is accessible, and works by the keyboard."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from matches.models import Match
from tests.browsing import expect_fits_and_is_accessible
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.test_all]


@pytest.fixture
def matches() -> None:
    ring, moat = make_version("Ring walker", "alice"), make_version("Moat", "bob")
    finish_match(make_match(ring, moat))
    finish_match(make_match(ring, moat), make_records("Ring walker", "Moat", fault_turn=2))


@pytest.mark.usefixtures("matches")
def test_it_fits_and_is_accessible(page: Page, live_server: LiveServer) -> None:
    queries = "", "?owner=bob&since=2026-05-03&until=2026-05-01", "?bot=castle", "?bot_id=999&against=998&version=x"
    for query in queries:
        page.goto(f"/matches/{query}")
        expect_fits_and_is_accessible(page)
    for language in ("en", "ja", "ru"):
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
        page.goto("/matches/")
        expect(page.locator("table.matches tbody tr")).to_have_count(2)
        table = page.locator(".scroll:has(table.matches)")
        assert table.evaluate("scroll => scroll.scrollWidth <= scroll.clientWidth"), "a row is seen whole on a phone"


@pytest.mark.usefixtures("matches")
def test_faults_of_an_owner_are_found_with_the_keyboard(page: Page) -> None:
    page.goto("/matches/")
    page.get_by_text("By owner, language, fault, kind, day").press("Enter")
    page.get_by_label("Owner of the bot").fill("bob")
    page.get_by_label("Fault of the bot").select_option("any fault")
    page.get_by_label("Owner of the bot").press("Enter")
    expect(page.locator("table.matches tbody tr")).to_have_count(1)
    expect(page.get_by_label("Owner of the bot")).to_have_value("bob")
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    expect(page.locator("table.matches tbody tr")).to_have_count(1)


def test_days_begin_in_the_zone_of_the_reader(browser: Browser, live_server: LiveServer) -> None:
    match = make_match(make_version("late"), make_version("night"))
    Match.objects.update(created_at=datetime(2026, 5, 1, 20, 0, tzinfo=UTC))  # the second of May in Tokyo
    with browser.new_context(base_url=live_server.url, timezone_id="Asia/Tokyo") as context:
        page = context.new_page()
        page.goto("/matches/?state=queued")
        page.get_by_text("By owner, language").click()
        page.get_by_label("Paired from (Asia/Tokyo)").fill("2026-05-02")
        page.get_by_role("button", name="Filter").click()
        expect(page.get_by_role("link", name=f"{match.pk} (watch)")).to_be_visible()
        page.get_by_label("Paired from (Asia/Tokyo)").fill("2026-05-03")
        page.get_by_role("button", name="Filter").click()
        expect(page.get_by_text("No match is like this.")).to_be_visible()
    with browser.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/matches/?state=queued&since=2026-05-02&zone=Mars/Olympus")
        expect(page.get_by_text("No match is like this.")).to_be_visible()
