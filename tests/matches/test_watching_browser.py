"""What keeps a spectator at a match in a real Chromium: sounds, the full screen, and a bar that stays in sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from matches.models import Match
from tests.browsing import expect_accessible_in_both_schemes
from tests.matches.viewing import box, expect_in_first_screen, expect_turn, part

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNT_TONES = """{
  window.tones = 0;
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function (at) {
    window.tones += 1;
    start.call(this, at);
  };
}"""
TONES_OF_LEAD = 2


def test_events_sound_only_if_the_reader_wants_it_and_comes_to_their_turn(
    page: Page, watch: Callable[..., Page], finished: Match
) -> None:
    """In turn 5 Alpha takes the lead, and in no turn before."""
    page.add_init_script(COUNT_TONES)
    page.emulate_media(reduced_motion="reduce")
    watch(finished, "#t=4")
    part(page, "forward").click()
    expect_turn(page, 5)
    assert page.evaluate("tones") == 0, "off by default"
    part(page, "sound").click()
    expect(part(page, "sound")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("tones") == 1, "a tone says that it is on"
    part(page, "first").click()
    part(page, "seek").fill("5")
    part(page, "back").click()
    assert page.evaluate("tones") == 1, "a jump is silent"
    part(page, "forward").click()
    assert page.evaluate("tones") == 1 + TONES_OF_LEAD


def test_a_match_fills_the_screen_and_leaves_it(page: Page, watch: Callable[..., Page], finished: Match) -> None:
    watch(finished, "#t=8")
    small = box(part(page, "board"))["height"]
    part(page, "full").click()
    expect(part(page, "full")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("small => document.querySelector('[data-viewer=board]').clientHeight > small", arg=small)
    expect_in_first_screen(page)
    expect_accessible_in_both_schemes(page)
    part(page, "full").evaluate("button => button.blur()")
    page.keyboard.press("f")
    expect(part(page, "full")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("document.fullscreenElement") is None


def test_the_bar_stays_in_sight_while_the_page_of_a_phone_scrolls(
    page: Page, watch: Callable[..., Page], finished: Match
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    watch(finished, "#t=8")
    page.get_by_text("What the bots answered").click()
    answers = part(page, "answers")
    answers.scroll_into_view_if_needed()
    expect(part(page, "board")).not_to_be_in_viewport()
    before = answers.inner_text()
    part(page, "forward").click()
    expect_turn(page, 9)
    assert answers.inner_text() != before
    expect(answers).to_be_in_viewport()
