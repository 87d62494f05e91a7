"""Steps and checks of tests in a real browser."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

EACH_LANGUAGE = pytest.mark.parametrize(
    "language", ["ru", *(pytest.param(name, marks=pytest.mark.test_all) for name in ("en", "ja"))]
)
"""Marks tests of pages in each language; `make test` runs them in Russian, whose words are the longest."""


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
    """Check accessibility in the light scheme, and of the colours in the dark one; the page is light afterwards."""
    expect_accessible(page)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    expect_accessible(page, runOnly=["color-contrast"])
    page.emulate_media(color_scheme="light")


def expect_fits_and_is_accessible(page: Page) -> None:
    """Check on a desktop and on a phone that a page does not scroll sideways and is accessible.

    The page is as wide as a phone afterwards.
    """
    expect_fits(page, 1280)
    expect_accessible(page)
    expect_fits(page, 360)
    page.emulate_media(color_scheme="dark")
    expect_accessible(page, runOnly=["color-contrast", "scrollable-region-focusable", "target-size"])
    page.emulate_media(color_scheme="light")


def expect_fits(page: Page, width: int) -> None:
    """Check that a page of this width does not scroll sideways."""
    page.wait_for_load_state()  # a click returns as soon as the next document begins, which has no element then
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{page.url} scrolls sideways"


def expect_accessible(page: Page, **options: object) -> None:
    """Check that axe finds no violation, once all colour transitions have ended.

    Args:
        page: the page as it is now.
        options: further options of axe.
    """
    page.wait_for_load_state()
    page.evaluate("Promise.allSettled(document.getAnimations().flatMap(a => a.transitionProperty ? a.finished : []))")
    results = Axe().run(page, options={**ONLY_VIOLATIONS, **options})
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"
