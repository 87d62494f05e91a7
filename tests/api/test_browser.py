"""The pages of the API in a real browser: a token is made and revoked, and the reference can be read by everybody."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from knox.models import AuthToken
from playwright.sync_api import Page, expect

from tests.browsing import confirm, expect_fits_and_is_accessible, sign_in
from tests.ladder.makers import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_token_is_made_and_revoked_with_the_keyboard_on_an_accessible_page(page: Page) -> None:
    cache.clear()
    make_user("alice")
    sign_in(page)
    page.get_by_role("link", name="alice").click()
    page.get_by_role("link", name="API tokens").press("Enter")
    page.get_by_role("button", name="Make a token").press("Enter")
    confirm(page)
    expect(page.get_by_role("status")).to_contain_text("banzuke_")
    expect_fits_and_is_accessible(page)
    begins = AuthToken.objects.get().token_key
    page.get_by_role("button", name=f"Revoke {begins}").press("Enter")
    expect(page.get_by_text(begins)).to_have_count(0)
    assert not AuthToken.objects.exists()


@pytest.mark.test_all
def test_an_operation_is_looked_up(page: Page) -> None:
    page.goto("/api/")
    entry = page.locator("details", has_text="POST /api/v1/versions/ Upload a bot")
    entry.locator("summary").press("Enter")
    expect(entry.get_by_role("row", name="upload binary")).to_contain_text("needed")
    expect(entry).to_contain_text("422")
    expect_fits_and_is_accessible(page)
