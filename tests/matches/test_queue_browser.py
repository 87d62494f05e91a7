"""Re-runs, and the estimate for a new version, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from games.registry import game_named
from ladder.models import BotVersion
from matches.models import Attempt, Match
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def rivals() -> list[BotVersion]:
    return [make_version("Alpha"), make_version("Beta", artifact_digest="e" * 64)]


@pytest.fixture
def signed_in(page: Page, client: Client, live_server: object, rivals: list[BotVersion], settings: Settings) -> Page:
    client.force_login(rivals[0].bot.owner)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": str(live_server)}])
    return page


def test_a_match_is_re_run_by_a_button(signed_in: Page, watch: Callable[..., Page], rivals: list[BotVersion]) -> None:
    match = make_match(*rivals, options={"board": "A-1", "agents": 2})
    Match.objects.filter(pk=match.pk).update(rules_version=game_named("kakomimasu").rules_version)
    finish_match(match)
    watch(match)
    signed_in.get_by_role("button", name="Re-run this match").click()
    expect(signed_in.get_by_text("This match waits for a worker.")).to_be_visible()
    again = Match.objects.get(kind=Match.Kind.RERUN)
    again.attempts.all().delete()
    finish_match(again, make_records("Alpha", "Beta"))
    expect(signed_in.get_by_text("It came out the same, answer by answer.")).to_be_visible()


def test_the_promise_is_on_the_page_of_a_bot(page: Page, rivals: list[BotVersion]) -> None:
    page.goto(f"/bots/{rivals[0].bot_id}/")
    expect(page.get_by_text("It has its first 20 games in about 2 minutes.")).to_be_visible()
    expect(page.get_by_role("progressbar", name="0 of the first 20 games played")).to_be_visible()


def test_times_of_day_are_those_of_the_reader_in_boxes_that_come_anew_too(
    browser: Browser, live_server: LiveServer, rivals: list[BotVersion]
) -> None:
    until = timezone.now() + timedelta(seconds=50)  # less than any match is held
    match = make_match(*rivals, attempt=3, held_until=until)
    attempt = Attempt.objects.create(match=match, number=3, lease_token="3" * 32)

    def here(moment: datetime) -> str:
        return f"{moment.astimezone(ZoneInfo('Asia/Kathmandu')):%H:%M:%S} GMT+5:45"

    with browser.new_context(base_url=live_server.url, timezone_id="Asia/Kathmandu", locale="en") as context:
        page = context.new_page()
        page.goto(f"/matches/{match.pk}/")
        expect(page.get_by_role("cell", name=here(attempt.queued_at))).to_be_visible()
        expect(page.get_by_role("status")).to_contain_text(f"It waits until {here(until)}")
        page.evaluate("document.querySelector('[data-viewer=state]').append('as it came first')")
        expect(page.get_by_role("status")).not_to_contain_text("as it came first")
        expect(page.get_by_role("status")).to_contain_text(f"It waits until {here(until)}")
