"""The page of a private test in a real browser, which is replaced every three seconds while it is used."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from ladder.models import BotVersion
from matches.models import Trial
from matches.services.trials import trial_start
from tests.browsing import expect_accessible_in_both_schemes, sign_in
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_test_is_stopped_only_when_one_says_so_twice(page: Page) -> None:
    owner = make_user()
    sign_in(page)
    old = make_version(make_bot("Moat", owner), state=BotVersion.State.RETIRED, artifact_digest="1" * 64)
    new = make_version(old.bot, artifact_digest="2" * 64)
    trial = trial_start(owner=owner, candidate=new, reference=old)
    page.goto(f"/trials/{trial.pk}/")
    stop = page.get_by_role("button", name="Stop for good")
    expect(stop).to_be_hidden()
    page.get_by_text("Stop the test…").press("Enter")
    expect(page.get_by_text("This cannot be undone: the test ends without an answer")).to_be_visible()
    expect_accessible_in_both_schemes(page)
    page.keyboard.press("Tab")
    Trial.objects.filter(pk=trial.pk).update(games_max=1_234)
    expect(page.get_by_text("of at most 1,234")).to_be_visible()
    expect(stop).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The test was stopped without an answer.")).to_be_visible()
