"""Re-runs, and the estimate for a new version, in a real browser."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from ladder.models import BotVersion
from matches.models import Attempt
from tests.matches.makers import make_match, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def rivals() -> list[BotVersion]:
    return [make_version("Alpha"), make_version("Beta", artifact_digest="e" * 64)]


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
