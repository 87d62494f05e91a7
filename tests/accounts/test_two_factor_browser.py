"""Two-factor authentication in a real browser: turned on, asked for and turned off, in every language, on a phone too.

The ``page`` fixture fails a test when the console shows an error, as it would for an image that the policy forbids.
"""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browsing import EACH_LANGUAGE, confirm, expect_fits, expect_fits_and_is_accessible, sign_in
from tests.two_factor import code_now, code_of, two_factor_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def password_typed(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign In").click()


def test_two_factors_are_turned_on_asked_for_and_turned_off(page: Page, alice: User) -> None:
    cache.clear()
    sign_in(page)
    page.get_by_role("link", name="alice").click()
    page.get_by_role("link", name="Two-Factor Authentication").click()
    page.get_by_role("link", name="Activate").click()
    confirm(page)
    drawn = page.get_by_role("img", name="QR code").bounding_box()
    assert drawn is not None
    assert drawn["height"] > 150
    page.get_by_label("Authenticator code").fill(code_of(page.locator("main p code").inner_text()))
    page.get_by_role("button", name="Activate").click()
    assert len(page.locator("pre").inner_text().split()) == 10
    with page.expect_download() as download:
        page.get_by_role("link", name="Download codes").click()
    assert download.value.suggested_filename == "recovery-codes.txt"

    page.get_by_role("button", name="Sign out").click()
    password_typed(page)
    page.get_by_label("Code").fill("000000x")
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_text("Incorrect code.")).to_be_visible()
    page.get_by_label("Code").fill(code_now(alice, 1))
    page.get_by_role("button", name="Sign In").click()
    page.get_by_role("link", name="alice").click()

    page.get_by_role("link", name="Two-Factor Authentication").click()
    page.get_by_role("link", name="Deactivate").click()
    confirm(page)
    page.get_by_role("button", name="Deactivate").click()
    expect(page.get_by_text("Authenticator app deactivated.")).to_be_visible()
    assert not Authenticator.objects.exists()


TWO_CLICKS = """(button) => {
  const sent = [];
  addEventListener("submit", (event) => sent.push(!event.defaultPrevented));
  button.click();
  button.click();
  return sent;
}"""


def test_a_second_click_is_not_sent(page: Page, alice: User) -> None:
    """The first click ends the session whose cookie the second would send, so nobody would see the recovery codes."""
    cache.clear()
    sign_in(page)
    page.goto("/accounts/2fa/totp/activate/")
    confirm(page)
    page.get_by_label("Authenticator code").fill(code_of(page.locator("main p code").inner_text()))
    assert page.get_by_role("button", name="Activate").evaluate(TWO_CLICKS) == [True, False]
    assert len(page.locator("pre").inner_text().split()) == 10


@EACH_LANGUAGE
def test_every_page_is_accessible_and_fits(page: Page, alice: User, language: str) -> None:
    sign_in(page)
    page.goto("/accounts/2fa/totp/activate/")
    confirm(page)
    page.set_extra_http_headers({"Accept-Language": language})
    seen = ["/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/reauthenticate/?next=/"]
    for url in seen:
        expect_page(page, url, language)
    two_factor_on(alice)
    rest = ["", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/", "reauthenticate/?next=/"]
    for url in rest:
        expect_page(page, f"/accounts/2fa/{url}", language)
    page.context.clear_cookies()
    page.set_extra_http_headers({})
    password_typed(page)
    page.set_extra_http_headers({"Accept-Language": language})
    expect_page(page, "/accounts/2fa/authenticate/", language)


def expect_page(page: Page, url: str, language: str) -> None:
    """Expect that a page fits; in English that it is accessible, too: the others have the same elements."""
    page.goto(url)
    if language == "en":
        expect_fits_and_is_accessible(page)
    else:
        expect_fits(page, 1280)
        expect_fits(page, 360)
