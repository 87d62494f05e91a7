"""The pages of the API in a real browser: a token is made and revoked, and the reference can be read by everybody."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from knox.models import AuthToken
from playwright.sync_api import Page, expect

from tests.browsing import confirm, expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alice(page: Page) -> Page:
    """A page on which a user is signed in."""
    cache.clear()
    make_user("alice")
    sign_in(page)
    return page


def test_every_page_is_accessible_and_fits(alice: Page) -> None:
    alice.goto("/api/tokens/")
    alice.get_by_role("button", name="Make a token").click()
    confirm(alice)
    expect(alice.get_by_role("status")).to_contain_text("banzuke_")
    for url in ("", "/api/#problems"):
        if url:
            alice.goto(url)
            alice.locator("summary").first.click()
        expect_fits_and_is_accessible(alice)


def test_a_token_is_made_and_revoked_with_the_keyboard(alice: Page) -> None:
    alice.get_by_role("link", name="alice").click()
    alice.get_by_role("link", name="API tokens").press("Enter")
    alice.get_by_role("button", name="Make a token").press("Enter")
    confirm(alice)
    expect(alice.get_by_role("status")).to_contain_text("banzuke_")
    begins = AuthToken.objects.get().token_key
    alice.get_by_role("button", name=f"Revoke {begins}").press("Enter")
    expect(alice.get_by_text(begins)).to_have_count(0)
    assert not AuthToken.objects.exists()


def test_an_operation_is_looked_up(page: Page) -> None:
    page.goto("/api/")
    entry = page.locator("details", has_text="POST /api/v1/versions/ Upload a bot")
    entry.locator("summary").press("Enter")
    expect(entry.get_by_role("row", name="upload binary")).to_contain_text("needed")
    expect(entry).to_contain_text("422")
