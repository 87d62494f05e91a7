"""What tests in a real browser do on any page."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def sign_in(page: Page, name: str = "alice") -> None:
    """Sign in by the form, as a user that ``tests.ladder.makers.make_user`` has made."""
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
