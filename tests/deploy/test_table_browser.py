"""A guest plays against a bot by the pages of a real arena: opens a table, answers, reloads, gives up, and goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.broker import free_port
from tests.browsing import expect_accessible_in_both_schemes
from tests.deploy.arena import OPEN, Arena, arena_running
from tests.deploy.people import Visitors, reload_until

pytestmark = [pytest.mark.arena, pytest.mark.browser, pytest.mark.timeout(600), pytest.mark.test_all]

TABLE = re.compile(r"/play/tables/(\d+)/$")
SCREENS = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})


@pytest.fixture
def arena(tmp_path: Path, bubblewrap: str) -> Iterator[Arena]:
    with arena_running(tmp_path / "data", free_port()) as running:
        running.wait_for(OPEN, seconds=300)
        yield running


def turn_of(page: Page, turn: int) -> None:
    """Wait until a turn has been played and the seat is asked."""
    expect(page.locator("[data-viewer=turn]")).to_have_text(f"Turn {turn} of {turn}", timeout=30_000)
    expect(page.locator("[data-table=status]")).to_have_text("Your turn.", timeout=30_000)


def answer_in_words(page: Page, text: str) -> None:
    """Give the same line for each agent, by the keyboard alone."""
    fields = page.get_by_label(re.compile("^Line "))
    page.wait_for_function("document.querySelector('.table-typed button:enabled')")
    for number in range(page.locator(".table-typed input").count()):
        page.locator(".table-typed input").nth(number).fill(text)
    assert fields.count()
    page.keyboard.press("Enter")


def expect_no_scrolling(page: Page) -> None:
    """Check that on both screens all that is needed to play stands in the window."""
    for screen in SCREENS:
        page.set_viewport_size(screen)  # type: ignore[arg-type]
        page.evaluate("scrollTo(0, 0)")
        for part in ("[data-viewer=board]", "[data-table=hand]", "[data-table=clock]"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(SCREENS[0])  # type: ignore[arg-type]


def test_a_guest_plays_against_a_bot(arena: Arena, browser: Browser) -> None:
    page = Visitors(browser, arena.url).page()
    page.get_by_role("link", name="Play", exact=True).click()
    expect_accessible_in_both_schemes(page)
    page.locator("main").get_by_role("link", name="Kakomimasu").click()
    reload_until(page, "random")  # house bots become active one after another
    page.get_by_role("radio", name="random").check()
    page.get_by_label("Your seat").select_option("A")
    page.get_by_label("Time to think").select_option("300")  # the checks between take long on a busy machine
    expect_accessible_in_both_schemes(page)
    page.get_by_role("button", name="Play", exact=True).click()

    expect(page).to_have_url(TABLE)
    turn_of(page, 0)
    expect_no_scrolling(page)
    expect_accessible_in_both_schemes(page)
    page.get_by_text("Answer in words").click()
    answer_in_words(page, "dance")
    expect(page.get_by_role("alert").filter(has_text="Tries left: 2")).to_be_visible()
    answer_in_words(page, "NONE")
    turn_of(page, 1)

    second = page.context.new_page()  # another tab goes on, and so does the reloaded page
    second.goto(page.url)
    turn_of(second, 1)
    second.get_by_text("Answer in words").click()
    answer_in_words(second, "NONE")
    for each in (second, page):
        turn_of(each, 2)
    page.reload()
    turn_of(page, 2)

    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Really give up?").click()
    expect(page.locator("[data-table=status]")).to_have_text("You have lost.", timeout=60_000)
    expect_accessible_in_both_schemes(page)
    first = page.url
    page.get_by_label("Go on from turn").fill("2")
    page.get_by_label("on the seat of").select_option("random")
    page.get_by_role("button", name="Take over").click()
    expect(page).not_to_have_url(first)
    turn_of(page, 1)
    expect(page.locator(".viewer-seat").nth(1)).to_contain_text("Guest")

    page.goto(first)
    expect(page.get_by_role("heading", name="You have lost.")).to_be_visible()
    expect_accessible_in_both_schemes(page)
    page.get_by_label("Go on from turn").fill("2")
    expect(page.locator("[data-viewer=root][data-state=ready]")).to_be_visible()
    page.locator("[data-viewer=last]").click()
    expect(page.locator("[data-viewer=turn]")).to_have_text(re.compile(r"^Turn (\d+) of \1$"))
    expect(page.get_by_label("Go on from turn")).to_have_value("2")  # the viewer does not overwrite what was written
    stranger = Visitors(browser, arena.url).page()
    stranger.goto(first)
    expect(stranger).to_have_url(re.compile(r"/matches/\d+/"))
