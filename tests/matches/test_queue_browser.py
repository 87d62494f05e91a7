"""Re-runs and the promise in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django import Settings

import core
from ladder.models import BotVersion
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_records, make_version

pytestmark = [pytest.mark.browser, pytest.mark.database, pytest.mark.django_db(transaction=True)]


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
    Match.objects.filter(pk=match.pk).update(rules_version=core.game("kakomimasu").rules_version)
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
