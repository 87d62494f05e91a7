"""Terms that pages explain where they stand, in a real Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import expect_accessible_in_both_schemes, expect_fits
from tests.ladder.makers import make_ranked, make_standings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_term_is_explained_in_a_box_and_leads_to_the_glossary(page: Page) -> None:
    make_ranked("Moat", 1_500)
    make_standings()
    page.goto("/games/kakomimasu/")
    term = page.get_by_role("columnheader").get_by_role("link", name="Version")
    term.focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("dialog", name="Version")
    expect(box).to_contain_text("One upload of a bot.")
    expect(box).to_be_focused()
    expect_accessible_in_both_schemes(page)
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(term).to_be_focused()

    expect_fits(page, 390)
    page.get_by_role("columnheader").get_by_role("link", name="Rating").click()
    box = page.get_by_role("dialog", name="Elo points, rating")
    edges = box.evaluate("box => [box.getBoundingClientRect().left, box.getBoundingClientRect().right]")
    assert edges[0] >= 0
    assert edges[1] <= 390
    box.get_by_role("link", name="Glossary").click()
    expect(page).to_have_url("/help/#term-rating")
    expect(page.locator("dt:target")).to_have_text("Elo points, rating")
    expect_accessible_in_both_schemes(page)
    page.get_by_role("navigation", name="About this site").get_by_role("link", name="About").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("About")
    expect_accessible_in_both_schemes(page)
