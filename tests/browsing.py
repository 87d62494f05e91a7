"""Steps and checks of tests in a real browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect


def sign_in(page: Page, name: str = "alice") -> None:
    """Sign in by the form, as a user that ``tests.ladder.makers.make_user`` has created."""
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign In").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def confirm(page: Page) -> None:
    """Type the password once more, on the page that asks for it before critical actions."""
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Confirm").click()


ONLY_VIOLATIONS = {"resultTypes": ["violations"]}


def expect_accessible_in_both_schemes(page: Page) -> None:
    """Check accessibility in the light and the dark scheme; the page is light before and after."""
    expect_accessible(page)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    expect_accessible(page)
    page.emulate_media(color_scheme="light")


def expect_accessible(page: Page) -> None:
    """Check that axe finds no violation, once all colour transitions have ended."""
    page.evaluate("Promise.allSettled(document.getAnimations().flatMap(a => a.transitionProperty ? a.finished : []))")
    results = Axe().run(page, options=ONLY_VIOLATIONS)
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"
